import { fstatSync, readSync } from "node:fs";
import { Socket } from "node:net";
import { type JsonObject, parseObject } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";

/** Names worth finding in a payload that is too large to be read whole. */
const firstFields =
  /"(session_id|hook_event_name|cwd|transcript_path|tool_name|tool_use_id|agent_id)"\s*:\s*("(?:[^"\\]|\\.){0,2048}")/g;

/** The payload of a text; of a text that was cut, what its beginning tells. */
export function payloadOf(text: string): JsonObject | undefined {
  return parseObject(text) ?? (text.length >= limits.hookInputBytes ? beginning(text) : undefined);
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
 * Hands over what standard input holds, once: at its end, when a whole object has arrived, or when the time
 * is up, whichever is first. A terminal holds nothing.
 */
export function readInput(done: (text: string) => void): void {
  const stat = fstatSync(0);
  if (stat.isFIFO() || stat.isSocket()) readPipe(done);
  else done(stat.isFile() ? readFile() : "");
}

function readFile(): string {
  const bytes = Buffer.allocUnsafe(limits.hookInputBytes);
  let taken = 0;
  while (taken < bytes.length) {
    const got = readSync(0, bytes, taken, bytes.length - taken, null);
    if (got === 0) break;
    taken += got;
  }
  return bytes.toString("utf8", 0, taken);
}

/** Not by a blocking read: nothing could end it if the other side neither wrote nor closed. */
function readPipe(done: (text: string) => void): void {
  const input = new Socket({ fd: 0, readable: true, writable: false });
  const chunks: Buffer[] = [];
  let held = 0;
  let finished = false;
  const finish = (): void => {
    if (finished) return;
    finished = true;
    clearTimeout(clock);
    done(Buffer.concat(chunks).toString("utf8"));
  };
  const clock = setTimeout(finish, limits.hookInputMs);
  input.on("data", (chunk: Buffer) => {
    // What is over the limit is read and dropped: a writer whose pipe breaks may fail.
    const room = limits.hookInputBytes - held;
    if (room <= 0) return;
    const taken = chunk.length <= room ? chunk : chunk.subarray(0, room);
    chunks.push(taken);
    held += taken.length;
    if (held < limits.hookInputBytes && isWhole(chunks)) finish();
  });
  input.on("end", finish);
  input.on("close", finish);
  input.on("error", finish);
}

/** Whether the object is complete; asked only where a chunk ends as an object does. */
function isWhole(chunks: readonly Buffer[]): boolean {
  const last = chunks.at(-1)!;
  let at = last.length - 1;
  while (at >= 0 && last[at]! <= 0x20) at -= 1;
  if (last[at] !== 0x7d) return false;
  return parseObject(Buffer.concat(chunks).toString("utf8")) !== undefined;
}
