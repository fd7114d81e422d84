import { isoNow } from "../base/clock.ts";
import type { SessionStart } from "../model/event.ts";
import { sumBefore } from "./header.ts";
import { encodeBody, LineEncoder, type LineFrame } from "./line.ts";
import type { Seal } from "./seal.ts";

/** The bytes of a session's first line: the number and the sum follow its base where it has one. */
export function firstLine(
  start: SessionStart,
  options: { readonly seal?: Seal | undefined; readonly createdAt?: string | undefined },
): Buffer {
  const base = start.base?.event;
  const frame: LineFrame = {
    id: (base ?? 0) + 1,
    parent: base,
    at: options.createdAt ?? isoNow(),
  };
  const before = sumBefore(start);
  const text = options.seal?.sealBody(frame, start, before) ?? encodeBody(start);
  return new LineEncoder().encode(frame, text, before).bytes;
}
