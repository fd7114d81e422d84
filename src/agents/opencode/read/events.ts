import { asNumber, asString } from "../../../base/json.ts";
import type { CompactionEvent } from "../../../model/event.ts";
import { eventNumber } from "../../../model/event-number.ts";
import type { AgentEvent } from "../../contract.ts";
import { compact, isoOf, objectOf } from "../schema.ts";
import { assistantBodies, isSkipped } from "./assistant-bodies.ts";
import { type CompactionPart, compactionPart } from "./compaction-part.ts";
import { type Draft, Drafts } from "./drafts.ts";
import { isFinishedSummary, type LivePath } from "./live-path.ts";
import { type NativeMessage, type ReadMessage, roleOf, type Source } from "./source.ts";
import { userBodies } from "./user-bodies.ts";

/** A message's events, numbered, and the part types nobody knows. */
export interface MessageEvents {
  readonly events: readonly AgentEvent[];
  readonly unknown: Readonly<Record<string, number>>;
}

interface Place {
  readonly source: Source;
  readonly index: number;
  readonly livePath: LivePath;
  readonly root?: string;
}

/** The events of one message; `number` is its place from 1, with `.k` from the second event on. */
export function messageEvents(message: ReadMessage, place: Place): MessageEvents {
  const { native } = message;
  const drafts = new Drafts(isLiveIn(native, place));
  if (roleOf(native) === "user") userBodies(native, drafts);
  else assistantBodies(native, drafts, place);
  const events = isFinishedSummary(native.info)
    ? asCompaction(native, drafts, place)
    : drafts.events;
  // A message that says nothing is still there: nothing is left out in silence.
  if (events.length === 0) {
    events.push({ body: { type: "custom", name: "opencode.message" }, live: false });
  }
  const createdMs = asNumber(objectOf(native.info["time"])?.["created"]);
  const numbered = events.map(
    ({ body, live, atMs }, k): AgentEvent =>
      compact<AgentEvent>({
        number: eventNumber(place.index + 1, k + 1),
        uuid: message.id,
        at: isoOf(atMs ?? createdMs),
        live,
        body,
        native,
      }),
  );
  return { events: numbered, unknown: drafts.unknown };
}

function isLiveIn(
  native: NativeMessage,
  { index, livePath }: Place,
): ConstructorParameters<typeof Drafts>[0] {
  const { from, revertedFrom, revertedPart } = livePath;
  const partly = revertedPart !== undefined && index === revertedFrom;
  const isLive = index >= from && (index < revertedFrom || partly) && !isSkipped(native);
  return { isLive, revertedPart: partly ? revertedPart : undefined };
}

/** The text of a finished summary becomes the compaction; the rest of the message stays as it is. */
function asCompaction(native: NativeMessage, drafts: Drafts, place: Place): Draft[] {
  const texts: string[] = [];
  const rest: Draft[] = [];
  let live = false;
  for (const draft of drafts.events) {
    const { body } = draft;
    if (body.type === "assistant" && body.synthetic !== true) {
      texts.push(typeof body.content === "string" ? body.content : "");
      live ||= draft.live;
    } else rest.push(draft);
  }
  if (texts.length === 0) return rest;
  const part = partBefore(native, place);
  const keep = part?.tail === undefined ? -1 : place.source.indexOf(part.tail);
  const body = compact<CompactionEvent>({
    type: "compaction",
    summary: texts.join("\n"),
    keepFrom: keep >= 0 && keep < place.index ? keep + 1 : undefined,
    trigger: part === undefined ? undefined : part.isAuto ? "auto" : "manual",
  });
  return [{ body, live }, ...rest];
}

function partBefore(native: NativeMessage, { source, index }: Place): CompactionPart | undefined {
  const parent = asString(native.info["parentID"]);
  if (parent === undefined) return undefined;
  // The question stands right before its summary; only a queued prompt can come in between.
  const before = source.info(index - 1)?.["id"] === parent ? index - 1 : source.indexOf(parent);
  if (before < 0) return undefined;
  return compactionPart(source, before);
}
