import type { AgentEvent } from "../../agents/contract.ts";
import { isObject } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";
import { plainText } from "../../model/block.ts";
import { isPrompt } from "../../model/prompt.ts";
import { oneLine } from "../../model/text.ts";
import type { ToolDialect } from "../../model/tool-dialect.ts";

/** What two branches share from their first event on. */
export interface SharedPrefix {
  /** Things said that both have: texts, calls, results. */
  readonly shared: number;
  /** The last shared event of each side. */
  readonly last?: readonly [string, string];
  /** The last prompt both have. */
  readonly prompt?: string;
  /** What comes after it, of each side. */
  readonly rest: readonly [AsyncGenerator<AgentEvent>, AsyncGenerator<AgentEvent>];
}

/**
 * Goes along two branches as long as they say the same, whichever agents wrote them: calls are compared by what they
 * do, and what programs put in is passed over. Holds one event of each.
 */
export async function sharedPrefix(
  one: AsyncIterable<AgentEvent>,
  two: AsyncIterable<AgentEvent>,
  { dialects }: { readonly dialects: readonly ToolDialect[] },
): Promise<SharedPrefix> {
  const [a, b] = [one[Symbol.asyncIterator](), two[Symbol.asyncIterator]()];
  let shared = 0;
  let last: readonly [string, string] | undefined;
  let prompt: string | undefined;
  for (;;) {
    const [left, right] = [await nextSaid(a, dialects), await nextSaid(b, dialects)];
    if (left === undefined || right === undefined || !isSame(left, right)) {
      return {
        shared,
        rest: [continued(left?.event, a), continued(right?.event, b)],
        ...(last !== undefined && { last }),
        ...(prompt !== undefined && { prompt }),
      };
    }
    shared += 1;
    last = [left.event.number, right.event.number];
    const { body } = left.event;
    if (isPrompt(body)) prompt = oneLine(plainText(body.content), limits.promptChars);
  }
}

interface Said {
  readonly event: AgentEvent;
  readonly said: string;
}

/** Equal words, or one call that was reported in another agent's words: a conversion keeps its id. */
function isSame(one: Said, two: Said): boolean {
  if (one.said === two.said) return true;
  const [a, b] = [one.event.body, two.event.body];
  if (a.type === "tool_use") return b.type === "tool_use" && a.call === b.call;
  return a.type === "tool_result" && b.type === "tool_result" && a.call === b.call;
}

async function nextSaid(
  events: AsyncIterator<AgentEvent>,
  dialects: readonly ToolDialect[],
): Promise<Said | undefined> {
  for (;;) {
    const { done, value } = await events.next();
    if (done === true) return undefined;
    const said = saidIn(value, dialects);
    if (said !== undefined) return { event: value, said };
  }
}

async function* continued(
  first: AgentEvent | undefined,
  rest: AsyncIterator<AgentEvent>,
): AsyncGenerator<AgentEvent> {
  if (first === undefined) return;
  yield first;
  yield* { [Symbol.asyncIterator]: () => rest };
}

/** What an event says in the conversation, as a text to compare; undefined if it says nothing of its own. */
function saidIn({ body }: AgentEvent, dialects: readonly ToolDialect[]): string | undefined {
  switch (body.type) {
    case "user":
      return body.injected === true ? undefined : texted("user", plainText(body.content));
    case "assistant":
      return texted("assistant", plainText(body.content));
    case "tool_result":
      return `result ${plainText(body.content).trim()}`;
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
