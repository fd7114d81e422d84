import { limits } from "../../base/limits.ts";
import { blocksOf, type Content } from "../../model/block.ts";
import type { EventBody } from "../../model/event.ts";
import { isOwnTool, withoutInjected } from "../../model/injected.ts";
import type { Act, ToolDialect } from "../../model/tool-dialect.ts";
import type { Kind } from "./kind.ts";

/** What a search sees of one event. */
export interface EventText {
  readonly kind: Kind;
  /** The decoded text, all of it. */
  readonly text: string;
  /** The tool that was called or answered. */
  readonly tool?: string;
  /** What it does, where tools of other agents do the same. */
  readonly act?: Act;
  readonly isError?: boolean;
  readonly hasImage?: boolean;
}

/** What an event's body does not say. */
export interface Around {
  /** The tool of the call that a result answers: not every result names it. */
  readonly callTool?: string | undefined;
  /** A subagent did it: what it was asked came from an agent. */
  readonly isOfSubagent?: boolean;
  /** The agent's words for what tools do. */
  readonly dialect?: ToolDialect | undefined;
}

/** The searchable text of an event; undefined if it says nothing in words. */
export function eventText(body: EventBody, around: Around = {}): EventText | undefined {
  const found = textOf(body, around);
  if (found === undefined) return undefined;
  // What a hook of ours put in stands elsewhere already. SQLite ends a text at a NUL.
  const text = withoutInjected(found.text).replaceAll("\0", " ");
  if (text === "" && found.hasImage !== true) return undefined;
  return text === found.text ? found : { ...found, text };
}

function textOf(
  body: EventBody,
  { callTool, isOfSubagent, dialect }: Around,
): EventText | undefined {
  switch (body.type) {
    case "user":
      // Neither what a program put in nor what an agent asked for is what a person said.
      if (body.injected === true) return said("system", body.content);
      return said(isOfSubagent === true ? "delegated" : "user", body.content);
    case "assistant":
      return said("assistant", body.content);
    case "system":
      return said("system", body.content);
    case "thinking":
      return { kind: "thinking", text: body.content };
    case "tool_use":
      // A question to us says nothing about what it asks for.
      if (isOwnTool(body.name)) return undefined;
      return {
        kind: "tool_use",
        text: `${body.name}${fieldEnd}${leaves(body.input)}`,
        ...toolNamed(body.name, dialect),
      };
    case "tool_result":
      return {
        ...said("tool_result", body.content),
        ...toolNamed(body.name ?? callTool, dialect),
        ...(body.isError === true && { isError: true }),
      };
    case "compaction":
      return { kind: "summary", text: body.summary };
    case "plan":
      return said("assistant", body.content);
    case "note":
      return said("note", body.content);
    case "hook":
    case "agent":
      return body.content === undefined ? undefined : said("system", body.content);
    case "task":
      return { kind: "note", text: body.title ?? "" };
    case "subagent":
      return { kind: "summary", text: body.summary ?? "" };
    case "process":
      return { kind: "tool_use", text: body.command ?? "" };
    case "file":
      return { kind: "tool_use", text: body.path };
    case "checkpoint":
      return { kind: "note", text: body.label ?? "" };
    case "session_end":
      return { kind: "summary", text: body.summary ?? "" };
    case "custom":
      return { kind: "system", text: leaves(body.data) };
    default:
      return undefined;
  }
}

function toolNamed(name = "", dialect?: ToolDialect): Pick<EventText, "tool" | "act"> {
  if (name === "") return {};
  const act = dialect?.actOf?.(name);
  return { tool: name.slice(0, limits.toolNameChars), ...(act !== undefined && { act }) };
}

function said(kind: Kind, content: Content): EventText {
  if (typeof content === "string") return { kind, text: content };
  let text = "";
  let hasImage = false;
  for (const block of blocksOf(content)) {
    if (block.type === "image") hasImage = true;
    const part = block.type === "text" ? block.text : block.type === "file" ? block.name : "";
    if (part !== undefined && part !== "") text = text === "" ? part : `${text}\n${part}`;
  }
  return hasImage ? { kind, text, hasImage } : { kind, text };
}

/** What stands between the fields of a call: words and lines end with it, and hardly any text has one. */
export const fieldEnd = "\u2028";

/** Every string in a value, with `fieldEnd` between them; keys and numbers say little. */
export function leaves(value: unknown): string {
  if (typeof value === "string") return value;
  const found: string[] = [];
  gather(value, found, 0);
  return found.join(fieldEnd);
}

function gather(value: unknown, found: string[], depth: number): void {
  if (typeof value === "string") found.push(value);
  else if (typeof value === "object" && value !== null && depth < limits.depth) {
    for (const inner of Object.values(value)) gather(inner, found, depth + 1);
  }
}

/** The part of a text that word search covers: the two ends of a tool's output, and of what is as long as a book. */
export function wordText({ kind, text }: EventText): string {
  const edge = kind === "tool_result" ? limits.outputEdgeChars : limits.wordEdgeChars;
  if (text.length <= 2 * edge) return text;
  return `${text.slice(0, edge)}\n${text.slice(-edge)}`;
}
