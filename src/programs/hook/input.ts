import { fstatSync } from "node:fs";
import { type JsonObject, parseObject } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";

/** Names worth finding in a payload that is too large to be read whole. */
const firstFields =
  /"(session_id|hook_event_name|cwd|transcript_path|tool_name|tool_use_id|agent_id)"\s*:\s*("(?:[^"\\]|\\.){0,2048}")/g;

/** The payload of a text; of a text that was cut, what its beginning says. */
export function payloadOf(text: string): JsonObject | undefined {
  const isCut = (): boolean => Buffer.byteLength(text) >= limits.hookInputBytes;
  return parseObject(text) ?? (isCut() ? beginning(text) : undefined);
}

function beginning(text: string): JsonObject {
  const found: Record<string, unknown> = {};
  for (const [, key, value] of text.slice(0, limits.chunkBytes).matchAll(firstFields)) {
    // The first of a name is the payload's own; later ones may stand in what it quotes.
    if (key === undefined || value === undefined || Object.hasOwn(found, key)) continue;
    const parsed = parseObject(`{"value":${value}}`);
    if (parsed !== undefined) found[key] = parsed["value"];
  }
  return found;
}

/**
 * The payload that standard input holds: up to its end, until a whole object has arrived, or until the time is up,
 * whichever is first. A terminal holds nothing. Read as a stream: a plain read would block for ever where the other side
 * neither writes nor closes, be it in one of Node's threads, which are waited for at the end.
 */
export async function readInput(): Promise<JsonObject | undefined> {
  const stat = fstatSync(0);
  if (!stat.isFIFO() && !stat.isSocket() && !stat.isFile()) return undefined;
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let held = 0;
    const end = (): void => resolve(payloadOf(Buffer.concat(chunks).toString("utf8")));
    setTimeout(end, limits.hookInputMs);
    process.stdin.on("end", end);
    process.stdin.on("error", end);
    process.stdin.on("data", (bytes: Buffer) => {
      // What is over the limit is read and dropped: a writer whose pipe breaks may fail.
      if (held >= limits.hookInputBytes) return;
      chunks.push(bytes.subarray(0, limits.hookInputBytes - held));
      held += bytes.length;
      // A whole object is enough; its writer may leave the pipe open.
      const isLast = bytes.length < limits.chunkBytes && endsAsObject(bytes);
      const payload = isLast ? parseObject(Buffer.concat(chunks).toString("utf8")) : undefined;
      if (payload !== undefined) resolve(payload);
    });
  });
}

function endsAsObject(bytes: Buffer): boolean {
  let at = bytes.length - 1;
  while (at >= 0 && bytes[at]! <= 0x20) at -= 1;
  return bytes[at] === 0x7d;
}
