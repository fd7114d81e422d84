import type { AgentEvent } from "../../../src/agents/contract.ts";
import { blocksOf, type Content } from "../../../src/model/block.ts";

/** Events as the expected replays are written: no developer items, no environment context. */
export function outlineOf(events: readonly AgentEvent[]): string[] {
  return events.flatMap((event) => lineOf(event));
}

function lineOf({ body }: AgentEvent): readonly string[] {
  switch (body.type) {
    case "user": {
      const text = joined(body.content);
      return text.startsWith("<environment_context>") ? [] : [`user: ${clip(text, 70)}`];
    }
    case "assistant":
      return [`assistant: ${clip(joined(body.content), 70)}`];
    case "compaction":
      return [`user: ${clip(body.summary, 70)}`];
    case "thinking":
      return ["<reasoning>"];
    case "tool_use":
      return [`call ${body.name} ${body.call}`];
    case "tool_result":
      return [`result ${body.call}: ${clip(joined(body.content), 50)}`];
    default:
      return [];
  }
}

function joined(content: Content): string {
  return blocksOf(content)
    .map((block) => (block.type === "text" ? block.text : `input_${block.type}`))
    .join("|");
}

function clip(text: string, chars: number): string {
  return text.length <= chars ? text : `${text.slice(0, chars)}…(${text.length})`;
}
