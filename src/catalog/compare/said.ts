import type { AgentEvent } from "../../agents/contract.ts";
import { isObject } from "../../base/json.ts";
import { plainText } from "../../model/block.ts";
import type { ToolDialect } from "../../model/tool-dialect.ts";

/** A text or a call of a conversation: its event, and what it says in words that can be compared. */
export interface Said {
  readonly event: AgentEvent;
  readonly said: string;
}

/** What an event says by itself, whichever agent wrote it; undefined if nothing, as a result, which belongs to its call. */
export function saidIn(event: AgentEvent, dialects: readonly ToolDialect[]): Said | undefined {
  const said = wordsOf(event, dialects);
  return said === undefined ? undefined : { event, said };
}

/** Equal words, or one call that was reported in another agent's words: a conversion keeps its id. */
export function isSame(one: Said, two: Said): boolean {
  if (one.said === two.said) return true;
  const [a, b] = [one.event.body, two.event.body];
  return a.type === "tool_use" && b.type === "tool_use" && a.call === b.call;
}

function wordsOf({ body }: AgentEvent, dialects: readonly ToolDialect[]): string | undefined {
  switch (body.type) {
    case "user":
      return body.injected === true ? undefined : texted("user", plainText(body.content));
    case "assistant":
      return texted("assistant", plainText(body.content));
    case "tool_use": {
      const { name, input } = body;
      const object = isObject(input) ? input : undefined;
      for (const dialect of object === undefined ? [] : dialects) {
        const neutral = dialect.neutral({ name, input: object! });
        if (neutral !== undefined) return `call ${neutral.act} ${sorted(neutral.args)}`;
      }
      return `call ${name} ${sorted(input)}`;
    }
    default:
      return undefined;
  }
}

function texted(who: string, text: string): string | undefined {
  const said = text.trim();
  return said === "" ? undefined : `${who} ${said}`;
}

/** JSON that is the same whatever the order of the keys. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    isObject(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([x], [y]) => (x < y ? -1 : 1)))
      : inner,
  );
}
