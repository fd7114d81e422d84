import { asArray, isObject, type JsonObject } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";
import { linesBackward } from "../../jsonl/read-backward.ts";
import { linesForward } from "../../jsonl/read-forward.ts";
import { ByteWindow } from "./byte-window.ts";
import { findArray, nextElement } from "./elements.ts";
import type { Glance } from "./glance.ts";
import { objectIn } from "./loader.ts";
import { kindOf } from "./record.ts";
import { isTouch } from "./replay.ts";
import { startsAsRewrite } from "./rewrite.ts";

const firstLook = limits.headBytes * 4;
const tailLook = limits.tailBytes * 16;

/** Looks at the first and the last lines of a session; gives its header, and whether all of it was seen. */
export function glanceLines(
  fd: number,
  options: { readonly size: number; readonly glance: Glance },
): { readonly header: JsonObject | undefined; readonly seenAll: boolean } {
  const { size } = options;
  let start = lookAtStart(fd, { ...options, end: Math.min(size, firstLook) });
  // The program puts a listing of the project first; a large one hides the prompt behind it.
  if (!start.found && size > firstLook) {
    start = lookAtStart(fd, { ...options, end: Math.min(size, limits.headBytesMax) });
  }
  lookAtEnd(fd, options);
  return { header: start.header, seenAll: size <= limits.headBytesMax };
}

function lookAtStart(
  fd: number,
  options: { readonly size: number; readonly end: number; readonly glance: Glance },
): { readonly header: JsonObject | undefined; readonly found: boolean } {
  const { size, end, glance } = options;
  let header: JsonObject | undefined;
  for (const line of linesForward(fd, { end, maxLineBytes: limits.headBytesMax })) {
    if (isTouch(line.bytes)) continue;
    const record = objectIn(line.bytes);
    if (record === undefined) {
      if (startsAsRewrite(line.bytes) && !line.complete && end < size) {
        return { header, found: lookIntoRewrite(fd, { offset: line.offset, end, glance }) };
      }
      continue;
    }
    const kind = kindOf(record);
    if (kind.kind === "header") header ??= record;
    const fields = kind.kind === "set" ? kind.fields : record;
    const messages =
      kind.kind === "message" ? [record] : asArray(fields["messages"]).filter(isObject);
    if (messages.some((message) => glance.early(message))) return { header, found: true };
  }
  return { header, found: false };
}

/** The first messages of a rewritten history that is longer than a head may read. */
function lookIntoRewrite(
  fd: number,
  options: { readonly offset: number; readonly end: number; readonly glance: Glance },
): boolean {
  const window = new ByteWindow(fd, options.end);
  let position = findArray(window, { from: options.offset, paths: ["$set.messages"] });
  while (position !== undefined) {
    const step = nextElement(window, position);
    if (step.kind !== "element") return false;
    const message = objectIn(window.range(step.offset, step.length));
    if (message !== undefined && options.glance.early(message)) return true;
    position = step.offset + step.length;
  }
  return false;
}

function lookAtEnd(fd: number, options: { readonly size: number; readonly glance: Glance }): void {
  const { size, glance } = options;
  let known = false;
  const lines = linesBackward(fd, {
    end: size,
    maxLineBytes: limits.headBytesMax,
    firstChunkBytes: firstLook,
  });
  for (const line of lines) {
    const looked = size - line.offset;
    if (looked > limits.headBytesMax) return;
    const record = line.tooLong ? undefined : objectIn(line.bytes);
    if (record !== undefined) known = lookAtRecord(record, glance) || known;
    // The title may stand a little before the end: it is set when the next session starts.
    if (known && (glance.summary !== undefined || looked > tailLook)) return;
  }
}

function lookAtRecord(record: JsonObject, glance: Glance): boolean {
  const kind = kindOf(record);
  if (kind.kind === "message") return glance.late(record);
  if (kind.kind !== "set") return false;
  glance.set(kind.fields);
  return asArray(kind.fields["messages"])
    .filter(isObject)
    .reverse()
    .some((message) => glance.late(message));
}
