import { fstatSync, readSync } from "node:fs";
import { uptimeMs } from "../../base/clock.ts";
import { errnoOf } from "../../base/errors.ts";
import { type JsonObject, parseObject } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";
import { pause } from "../../base/pause.ts";

/** Names worth finding in a payload that is too large to be read whole. */
const firstFields =
  /"(session_id|hook_event_name|cwd|transcript_path|tool_name|tool_use_id|agent_id)"\s*:\s*("(?:[^"\\]|\\.){0,2048}")/g;

/** The payload of a text; of a text that was cut, what its beginning tells. */
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
 * whichever is first. A terminal holds nothing.
 */
export function readInput(): JsonObject | undefined {
  const stat = fstatSync(0);
  if (stat.isFIFO() || stat.isSocket()) return readPipe();
  return stat.isFile() ? payloadOf(readFile()) : undefined;
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

/**
 * Reads what is there and looks again until the time is up. A plain read would block for ever where the other
 * side neither writes nor closes, and a stream costs a tenth of Node's own start.
 */
function readPipe(): JsonObject | undefined {
  const mayBlock = !withoutBlocking();
  const endMs = uptimeMs() + limits.hookInputMs;
  const bytes = Buffer.allocUnsafe(limits.chunkBytes);
  const chunks: Buffer[] = [];
  let held = 0;
  while (uptimeMs() < endMs) {
    let taken: number;
    try {
      taken = readSync(0, bytes, 0, bytes.length, null);
    } catch (error) {
      if (errnoOf(error) !== "EAGAIN") break;
      pause(0.5);
      continue;
    }
    if (taken === 0) break;
    // What is over the limit is read and dropped: a writer whose pipe breaks may fail.
    if (held >= limits.hookInputBytes) continue;
    // A whole object is enough; its writer may leave the pipe open.
    const whole = endsAsObject(bytes, taken) && (taken < bytes.length || mayBlock);
    const alone = held === 0 && whole ? parseObject(bytes.toString("utf8", 0, taken)) : undefined;
    if (alone !== undefined) return alone;
    chunks.push(Buffer.from(bytes.subarray(0, Math.min(taken, limits.hookInputBytes - held))));
    held += taken;
    const payload = whole ? parseObject(Buffer.concat(chunks).toString("utf8")) : undefined;
    if (payload !== undefined) return payload;
  }
  return payloadOf(Buffer.concat(chunks).toString("utf8"));
}

/** Opening a pipe as Node's own streams do is what makes reads of it return at once; false where it cannot be done. */
function withoutBlocking(): boolean {
  try {
    const { Pipe } = (process as unknown as Bindings).binding("pipe_wrap");
    new Pipe(0).open(0);
    return true;
  } catch {
    return false;
  }
}

/** The part of Node's inside that is used; a Node without it reads in the blocking way. */
interface Bindings {
  binding(name: "pipe_wrap"): { readonly Pipe: new (type: number) => { open(fd: number): void } };
}

function endsAsObject(bytes: Buffer, length: number): boolean {
  let at = length - 1;
  while (at >= 0 && bytes[at]! <= 0x20) at -= 1;
  return bytes[at] === 0x7d;
}
