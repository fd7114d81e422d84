import { asNumber, asString, isObject, type JsonObject, parseObject } from "../../../base/json.ts";
import { type Content, soleText, textBlock } from "../../../model/block.ts";
import { contentOf } from "./content.ts";

/** What a tool gave back, and what its text says about how it went. */
export interface ToolOutput {
  readonly content: Content;
  readonly isError?: boolean;
  readonly details?: { readonly exitCode?: number; readonly durationSeconds?: number };
}

/** How far into the text the exit code is looked for: it stands before the command's own output. */
const headerChars = 400;

/** Reads the `output` of a tool result item: a text, content parts, or the old object form. */
export function toolOutput(item: JsonObject): ToolOutput {
  const said = asString(item["output"]);
  const output = said === undefined ? item["output"] : [textBlock(said)];
  if (isObject(output)) {
    const content = contentOf(output["content"] ?? output["content_items"]);
    return output["success"] === false ? { content, isError: true } : { content };
  }
  const content = contentOf(output);
  const text = soleText(content) ?? "";
  const details = detailsOf(text);
  const failed = (details?.exitCode ?? 0) !== 0 || isAbort(text);
  return { content, ...(failed && { isError: true }), ...(details !== undefined && { details }) };
}

/** The child thread a `spawn_agent` result names. */
export function spawnedThread(
  item: JsonObject,
): { readonly session: string; readonly name?: string } | undefined {
  const output = asString(item["output"]);
  if (output === undefined || !startsWith(output, '{"agent_id":')) return undefined;
  const value = parseObject(output);
  const session = asString(value?.["agent_id"]);
  if (session === undefined) return undefined;
  const name = asString(value?.["nickname"]);
  return { session, ...(name !== undefined && { name }) };
}

function detailsOf(text: string): ToolOutput["details"] {
  if (startsWith(text, '{"output":')) {
    const metadata = parseObject(text)?.["metadata"];
    if (!isObject(metadata)) return undefined;
    const exitCode = asNumber(metadata["exit_code"]);
    const durationSeconds = asNumber(metadata["duration_seconds"]);
    if (exitCode === undefined && durationSeconds === undefined) return undefined;
    return {
      ...(exitCode !== undefined && { exitCode }),
      ...(durationSeconds !== undefined && { durationSeconds }),
    };
  }
  const header = text.slice(0, headerChars).split("\nOutput:", 1)[0]!;
  const exit = /^(?:Process exited with code|Exit code:) (-?\d{1,10})$/m.exec(header);
  if (exit === null) return undefined;
  const wall = /^Wall time: (\d+(?:\.\d+)?) seconds$/m.exec(header);
  return {
    exitCode: Number(exit[1]),
    ...(wall !== null && { durationSeconds: Number(wall[1]) }),
  };
}

function isAbort(text: string): boolean {
  return text === "aborted" || startsWith(text, "aborted by user");
}

function startsWith(text: string, begin: string): boolean {
  return text.slice(0, begin.length) === begin;
}
