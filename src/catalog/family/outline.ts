import type { AgentEvent } from "../../agents/contract.ts";
import { timeOf } from "../../base/clock.ts";
import { limits } from "../../base/limits.ts";
import { plainText } from "../../model/block.ts";
import type { EventBody } from "../../model/event.ts";
import { isPrompt } from "../../model/prompt.ts";
import { oneLine } from "../../model/text.ts";
import { abandonedBranches, abandonedRuns, type Links } from "./branches.ts";

/** Something in a session that a person may want to come back to. */
export interface Mark {
  readonly kind:
    | "prompt"
    | "branch"
    | "rewind"
    | "compaction"
    | "checkpoint"
    | "restore"
    | "subagent";
  /** The event it stands at; of a branch the one it left the path at. */
  readonly event: string;
  readonly at?: string;
  /** The first words of a prompt or a branch, a checkpoint's label, a subagent's name. */
  readonly text?: string;
  /** How many events a branch or a subagent has. */
  readonly events?: number;
  /** The last event of a branch: `ref@leaf` shows it and continues it. */
  readonly leaf?: string;
  /** The event a rewind went back to. */
  readonly to?: string;
  readonly tokensBefore?: number;
  /** The subagent's session. */
  readonly session?: string;
  /** The number of a checkpoint of files, and whether it lacks some of them. */
  readonly checkpoint?: number;
  readonly incomplete?: true;
}

/** What a session is made of, in the order of its events. */
export interface Outline {
  readonly events: number;
  readonly prompts: number;
  readonly marks: readonly Mark[];
  /** The place of an event in the session, by its number or the agent's own id; undefined for one that is not there. */
  placeOf(event: string): number | undefined;
  /** The place of the last event that happened by a moment; undefined if none had. */
  placeBy(at: string): number | undefined;
  /** The number of the last event that an id of another session names as well. */
  lastShared(other: Outline): string | undefined;
  /** The ids of its events, in order. */
  readonly ids: readonly string[];
}

/** Reads a session's outline; events must come with all branches, in native order. `isTree`: they name what they follow. */
export async function outlineOf(
  events: AsyncIterable<AgentEvent>,
  { isTree }: { readonly isTree: boolean },
): Promise<Outline> {
  const places = new Map<string, number>();
  const numbers = new Map<string, string>();
  const ids: string[] = [];
  const marks: Mark[] = [];
  const links: Links[] = [];
  const subagents = new Map<string, { first: string; events: number; text?: string }>();
  const times: number[] = [];
  let count = 0;
  let prompts = 0;
  for await (const event of events) {
    const { number, uuid, body, sidechain } = event;
    if (sidechain !== undefined) {
      const known = subagents.get(sidechain) ?? { first: number, events: 0 };
      if (known.text === undefined && isPrompt(body)) known.text = firstWords(body);
      known.events += 1;
      subagents.set(sidechain, known);
      continue;
    }
    places.set(number, count);
    if (uuid !== undefined && !places.has(uuid)) {
      places.set(uuid, count);
      numbers.set(uuid, number);
      ids.push(uuid);
    }
    times.push(timeOf(event.at) ?? times.at(-1) ?? 0);
    count += 1;
    links.push(linkOf(event));
    if (isPrompt(body)) prompts += 1;
    const mark = markOf(event);
    if (mark !== undefined) marks.push(mark);
  }
  const withCounts = joinSubagents(marks, subagents);
  const all = [...withCounts, ...(isTree ? abandonedBranches(links) : abandonedRuns(links))];
  const placeOf = (event: string): number | undefined => places.get(event);
  const order = ({ event }: Mark): number => placeOf(event) ?? Number.POSITIVE_INFINITY;
  return {
    events: count,
    prompts,
    marks: all.sort((a, b) => compare(order(a), order(b))),
    placeOf,
    placeBy: (at) => {
      const atMs = timeOf(at) ?? 0;
      const place = times.findLastIndex((ms) => ms <= atMs);
      return place < 0 ? undefined : place;
    },
    ids,
    lastShared: (other) => {
      const shared = other.ids.findLast((id) => numbers.has(id));
      return shared === undefined ? undefined : numbers.get(shared);
    },
  };
}

function compare(one: number, two: number): number {
  return one === two ? 0 : one - two;
}

const saidTypes: ReadonlySet<string> = new Set([
  "user",
  "assistant",
  "thinking",
  "tool_use",
  "tool_result",
  "compaction",
]);

/** What is needed of an event to see which branch it is on. */
export function linkOf({ number, parent, live, body }: AgentEvent): Links {
  return {
    number,
    parent,
    live,
    isSaid: saidTypes.has(body.type),
    isCompaction: body.type === "compaction",
    text: isPrompt(body) ? firstWords(body) : undefined,
    speaks: body.type === "assistant",
  };
}

function firstWords(body: Extract<EventBody, { readonly type: "user" }>): string {
  return oneLine(plainText(body.content), limits.promptChars);
}

function markOf({ number: event, at, body }: AgentEvent): Mark | undefined {
  const place = { event, ...(at !== undefined && { at }) };
  switch (body.type) {
    case "user": {
      const text = isPrompt(body) ? firstWords(body) : "";
      return text === "" ? undefined : { kind: "prompt", ...place, text };
    }
    case "compaction": {
      const { tokensBefore } = body;
      return { kind: "compaction", ...place, ...(tokensBefore !== undefined && { tokensBefore }) };
    }
    case "rewind":
      return { kind: "rewind", ...place, to: String(body.to) };
    case "checkpoint":
      return {
        kind: "checkpoint",
        ...place,
        ...(body.label !== undefined && { text: body.label }),
      };
    case "restore":
      return { kind: "restore", ...place, to: String(body.checkpoint) };
    case "subagent": {
      const text = body.name === undefined ? {} : { text: oneLine(body.name, limits.promptChars) };
      return { kind: "subagent", ...place, session: body.session, ...text };
    }
    default:
      return undefined;
  }
}

/** A subagent is marked once, where it was started; one nobody announced is marked at its own first event. */
function joinSubagents(
  marks: readonly Mark[],
  subagents: ReadonlyMap<string, { first: string; events: number; text?: string }>,
): readonly Mark[] {
  const seen = new Set<string>();
  const kept = marks.flatMap((mark): readonly Mark[] => {
    if (mark.kind !== "subagent" || mark.session === undefined) return [mark];
    if (seen.has(mark.session)) return [];
    seen.add(mark.session);
    const known = subagents.get(mark.session);
    const text = mark.text ?? known?.text;
    return [
      {
        ...mark,
        ...(text !== undefined && { text }),
        ...(known !== undefined && { events: known.events }),
      },
    ];
  });
  const unannounced = [...subagents]
    .filter(([session]) => !seen.has(session))
    .map(([session, { first, events, text }]): Mark => {
      return {
        kind: "subagent",
        event: first,
        session,
        events,
        ...(text !== undefined && { text }),
      };
    });
  return [...kept, ...unannounced];
}
