import type { AgentEvent } from "../../../src/agents/contract.ts";
import { plainText } from "../../../src/model/block.ts";

/** A message as OpenAI-compatible providers take it. */
export interface OpenAiMessage {
  readonly role: string;
  readonly content: string;
  readonly reasoning_content?: string;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly type: "function";
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
  readonly tool_call_id?: string;
}

/** The messages a model would be sent for live events, in the form the recorded requests have. */
export function openAiMessages(events: readonly AgentEvent[]): readonly OpenAiMessage[] {
  const messages: (OpenAiMessage & { readonly key: string })[] = [];
  const join = (key: string, made: OpenAiMessage): void => {
    const before = messages.at(-1);
    if (before?.key !== key) {
      messages.push({ key, ...made });
      return;
    }
    messages[messages.length - 1] = {
      ...before,
      content: [before.content, made.content].filter((text) => text !== "").join("\n"),
      ...(made.reasoning_content === undefined
        ? {}
        : { reasoning_content: (before.reasoning_content ?? "") + made.reasoning_content }),
      ...(made.tool_calls === undefined
        ? {}
        : { tool_calls: [...(before.tool_calls ?? []), ...made.tool_calls] }),
    };
  };
  for (const { number, body, live } of inReplayOrder(events)) {
    if (!live) continue;
    switch (body.type) {
      case "user":
        join(`user ${number.split(".")[0]}`, { role: "user", content: plainText(body.content) });
        break;
      case "compaction":
        join(`summary ${number}`, { role: "assistant", content: body.summary });
        break;
      case "assistant":
        join(body.message ?? number, { role: "assistant", content: plainText(body.content) });
        break;
      case "thinking": {
        const made = { role: "assistant", content: "", reasoning_content: body.content };
        join(body.message ?? number, made);
        break;
      }
      case "tool_use": {
        const call = {
          id: body.call,
          type: "function",
          function: { name: body.name, arguments: JSON.stringify(body.input) },
        } as const;
        join(body.message ?? number, { role: "assistant", content: "", tool_calls: [call] });
        break;
      }
      case "tool_result": {
        const content = plainText(body.content);
        join(`result ${body.call}`, { role: "tool", tool_call_id: body.call, content });
        break;
      }
      default:
    }
  }
  return messages.map(({ key: _key, ...message }) => message);
}

/** A compaction's summary is sent before the messages it keeps, though it was written after them. */
function inReplayOrder(events: readonly AgentEvent[]): readonly AgentEvent[] {
  const at = events.findLastIndex(({ live, body }) => live && body.type === "compaction");
  const compaction = events[at];
  if (compaction?.body.type !== "compaction" || compaction.body.keepFrom === undefined) {
    return events;
  }
  const question = Number.parseInt(compaction.number, 10) - 1;
  const ordinal = (event: AgentEvent): number => Number.parseInt(event.number, 10);
  const asked = events.filter((event) => ordinal(event) === question);
  const kept = events.slice(0, at).filter((event) => !asked.includes(event));
  return [...asked, compaction, ...kept, ...events.slice(at + 1)];
}
