import { isoNow } from "../base/clock.ts";
import { limits } from "../base/limits.ts";
import type { EventBody, SessionEvent } from "../model/event.ts";
import { encodeBody, type LineEncoder, type LineFrame } from "./line.ts";
import type { Draft } from "./mend.ts";
import type { Seal } from "./seal.ts";
import { isEmptyMeta, mergeMeta, metaOfEvent, type SessionMeta } from "./session-meta.ts";
import type { TailState } from "./tail.ts";

/** Lines ready for one write call, and where the log stands after it. */
export interface Batch {
  readonly bytes: Buffer;
  readonly events: readonly SessionEvent[];
  readonly next: TailState;
  readonly meta: SessionMeta | undefined;
}

/** What encoding needs besides the drafts. */
export interface BatchContext {
  readonly state: TailState;
  /** What is known of the whole session; asked for only where a meta line is written. */
  readonly meta: () => SessionMeta;
  readonly seal: Seal | undefined;
}

/**
 * Turns drafts into lines that follow a log's end. A meta line carries everything known of the whole
 * session, later lines point to it, and it is repeated before it lies too far from the end.
 */
export function encodeBatch(
  encoder: LineEncoder,
  drafts: readonly Draft[],
  context: BatchContext,
): Batch {
  let { size, lastId, lastSum, metaAt } = context.state;
  let meta: SessionMeta | undefined;
  const events: SessionEvent[] = [];
  const lines: Buffer[] = [];

  const add = (draft: Draft): SessionEvent => {
    let { body, stored = body, json } = draft;
    if (body.type === "meta") {
      meta = mergeMeta(meta ?? context.meta(), metaOfEvent(body));
      body = stored = { ...body, ...meta };
      json = undefined;
      if (!isEmptyMeta(meta)) metaAt = size;
    }
    const frame: LineFrame = {
      id: lastId + 1,
      parent: body.type === "rewind" ? body.to : lastId,
      at: draft.at ?? isoNow(),
      recoveredFrom: draft.recoveredFrom,
      metaAt,
    };
    const text =
      context.seal === undefined
        ? (json ?? encodeBody(stored))
        : context.seal.sealBody(frame, stored);
    const line = encoder.encode(frame, text, lastSum);
    // The encoder's buffer is reused: only a batch of one may point into it.
    lines.push(drafts.length === 1 && lines.length === 0 ? line.bytes : Buffer.from(line.bytes));
    size += line.bytes.length;
    lastId = frame.id;
    lastSum = line.sum;
    return framed(frame, body, line.sum);
  };

  for (const draft of drafts) {
    const far = metaAt !== undefined && size - metaAt > limits.metaEveryBytes;
    if (far && draft.body.type !== "meta") {
      add({ body: { type: "meta", repeated: true } });
      // A repetition was the first line of this batch: its bytes must outlive the next encoding.
      lines[lines.length - 1] = Buffer.from(lines.at(-1)!);
    }
    events.push(add(draft));
  }
  const bytes = lines.length === 1 ? lines[0]! : Buffer.concat(lines);
  return { bytes, events, next: { size, lastId, lastSum, metaAt }, meta };
}

function framed(frame: LineFrame, body: EventBody, sum: string): SessionEvent {
  const { id, parent, at, recoveredFrom, metaAt } = frame;
  if (parent !== undefined && recoveredFrom === undefined && metaAt === undefined) {
    return { id, parent, at, ...body, sum };
  }
  return {
    id,
    ...(parent !== undefined && { parent }),
    at,
    ...body,
    ...(recoveredFrom !== undefined && { recoveredFrom }),
    ...(metaAt !== undefined && { metaAt }),
    sum,
  };
}
