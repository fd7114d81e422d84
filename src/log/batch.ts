import { isoNow } from "../base/clock.ts";
import { limits } from "../base/limits.ts";
import type { EventBody, SessionEvent } from "../model/event.ts";
import type { Draft } from "./draft.ts";
import type { LineEncoder, LineFrame } from "./line.ts";
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
  const [only] = drafts;
  // Most appends are one line, which may stay in the encoder's buffer and needs nothing gathered.
  if (only !== undefined && drafts.length === 1 && !isMetaDue(only, context.state)) {
    const { bytes, event, next, meta } = encodeNext(encoder, only, context);
    return { bytes, events: [event], next, meta };
  }
  return encodeMany(encoder, drafts, context);
}

function encodeMany(
  encoder: LineEncoder,
  drafts: readonly Draft[],
  { state, meta: knownMeta, seal }: BatchContext,
): Batch {
  let next = state;
  let meta: SessionMeta | undefined;
  const events: SessionEvent[] = [];
  const lines: Buffer[] = [];
  const add = (draft: Draft): SessionEvent => {
    const before = meta;
    const known = before === undefined ? knownMeta : () => before;
    const line = encodeNext(encoder, draft, { state: next, meta: known, seal });
    // The encoder's buffer is reused: each line must outlive the next encoding.
    lines.push(Buffer.from(line.bytes));
    next = line.next;
    meta = line.meta ?? meta;
    return line.event;
  };
  for (const draft of drafts) {
    if (isMetaDue(draft, next)) add({ body: { type: "meta", repeated: true } });
    events.push(add(draft));
  }
  return { bytes: Buffer.concat(lines), events, next, meta };
}

/** Whether a meta line must be repeated before this draft. */
function isMetaDue({ body }: Draft, { metaAt, size }: TailState): boolean {
  return metaAt !== undefined && size - metaAt > limits.metaEveryBytes && body.type !== "meta";
}

interface EncodedLine {
  /** Valid until the encoder is used again. */
  readonly bytes: Buffer;
  readonly event: SessionEvent;
  readonly next: TailState;
  readonly meta: SessionMeta | undefined;
}

function encodeNext(encoder: LineEncoder, draft: Draft, context: BatchContext): EncodedLine {
  const { state, seal } = context;
  let { body, stored = body, json } = draft;
  let metaAt = state.metaAt;
  let meta: SessionMeta | undefined;
  if (body.type === "meta") {
    const known = context.meta();
    meta = mergeMeta(known, draft.meta?.(known) ?? metaOfEvent(body));
    body = stored = { ...body, ...meta };
    json = undefined;
    if (!isEmptyMeta(meta)) metaAt = state.size;
  }
  const frame: LineFrame = {
    id: state.lastId + 1,
    parent: body.type === "rewind" ? body.to : state.lastId,
    at: draft.at ?? isoNow(),
    recoveredFrom: draft.recoveredFrom,
    metaAt,
  };
  const text: EventBody | string =
    seal === undefined ? (json ?? stored) : seal.sealBody(frame, stored, state.lastSum);
  const { bytes, sum } = encoder.encode(frame, text, state.lastSum);
  return {
    bytes,
    event: framed(frame, body, sum),
    next: { size: state.size + bytes.length, lastId: frame.id, lastSum: sum, metaAt },
    meta,
  };
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
