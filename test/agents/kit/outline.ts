import type { AgentEvent } from "../../../src/agents/contract.ts";
import { blocksOf, type Content } from "../../../src/model/block.ts";

/** Events as one-line outlines, the form in which the expected replays of the fixtures are written. */
export function outlines(
  events: Iterable<AgentEvent>,
  options: { readonly thinking?: string } = {},
): string[] {
  return [...events].flatMap((event) => outline(event, options));
}

/** One event as outline lines: text and every image stand alone; what no model sees gives none. */
export function outline(
  event: AgentEvent,
  options: { readonly thinking?: string } = {},
): readonly string[] {
  const { body } = event;
  switch (body.type) {
    case "user":
    case "assistant":
    case "system":
      return messageLines(body.type, body.content);
    case "compaction":
      return messageLines("user", body.summary);
    case "thinking":
      return [options.thinking ?? "assistant <thinking>"];
    case "tool_use":
      return [`call ${body.name} ${body.call}`];
    case "tool_result":
      return [
        `result ${body.call}${body.isError ? " ERROR" : ""}: ${clip(texts(body.content), 50)}`,
      ];
    default:
      return [];
  }
}

function messageLines(role: string, content: Content): string[] {
  return blocksOf(content).map((block) =>
    block.type === "text" ? `${role}: ${clip(block.text, 70)}` : `${role} <${block.type}>`,
  );
}

function texts(content: Content): string {
  return blocksOf(content)
    .flatMap((block) => (block.type === "text" ? [block.text] : []))
    .join("\n");
}

function clip(text: string, chars: number): string {
  return text.length <= chars ? text : `${text.slice(0, chars)}…(${text.length})`;
}
