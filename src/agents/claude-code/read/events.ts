import { asString, isObject, type JsonObject, withoutAbsent } from "../../../base/json.ts";
import type { EventBody } from "../../../model/event.ts";
import { eventNumber } from "../../../model/event-number.ts";
import type { AgentEvent } from "../../contract.ts";
import { draftsOf } from "./bodies.ts";
import type { NotReplayed } from "./not-replayed.ts";
import { type ToldMessage, toldMessage } from "./progress.ts";
import type { Subagent } from "./subagents.ts";

/** Where a record stands, and what of it the program would replay. */
export interface RecordPlace {
  readonly number: string;
  readonly parent?: string | undefined;
  readonly live: boolean;
  readonly notReplayed?: NotReplayed | undefined;
  readonly sidechain?: string | undefined;
  readonly bearsUsage: boolean;
  readonly keepFrom?: number | undefined;
  /** Whether the record says another folder or branch than before; "ask" compares with what goes along. */
  readonly moved?: boolean | "ask";
  /** How many events of the same line came before. */
  readonly before?: number;
}

/** The folder and branch of the records so far: they go along from record to record, and into the cursor. */
export interface Whereabouts {
  cwd?: string | undefined;
  branch?: string | undefined;
}

/** Turns records into events, one after the other. */
export type MakeEvents = (record: JsonObject, place: RecordPlace) => AgentEvent[];

/** Makes the events of one session; it says changes of folder and branch, and a subagent at its call. */
export function eventMaker(options: {
  readonly sideFolder: string;
  /** Subagents with transcripts of their own, by the call that started them. */
  readonly subagents: ReadonlyMap<string, Subagent>;
  /** The subagents that have transcripts of their own: what else says their messages repeats them. */
  readonly transcribed: ReadonlySet<string>;
  readonly along: Whereabouts;
}): MakeEvents {
  const { sideFolder, subagents, transcribed, along } = options;
  const asides = new Asides();
  let boundary: JsonObject | undefined;
  return (native, at) => {
    const told = toldMessage(native);
    const aside =
      told === undefined || transcribed.has(told.agent) ? undefined : asides.place(told, at);
    const record = aside === undefined ? native : told!.record;
    const place = aside ?? at;
    if (record["subtype"] === "compact_boundary") boundary = record;
    const { bearsUsage, keepFrom } = place;
    const drafts = draftsOf(record, { bearsUsage, keepFrom, boundary, sideFolder });
    const bodies = drafts.map((draft) => ({
      body: draft.body,
      live: place.live && draft.replayed && isReplayed(draft.body, place.notReplayed),
    }));
    const spawned = drafts.flatMap(({ body }) => subagentBody(body, { record, subagents }));
    const moved = movedBody(record, place, along);
    const extra = [...spawned, ...moved].map((body) => ({ body, live: place.live }));
    return [...bodies, ...extra].map(({ body, live }, index) =>
      eventAt(record, place, { body, live, at: index, native }),
    );
  };
}

/** Where the messages of subagents stand that are reported in their parent's transcript: each behind its last one. */
class Asides {
  readonly #last = new Map<string, { readonly number: string; readonly message: string }>();

  place({ agent, record }: ToldMessage, at: RecordPlace): RecordPlace {
    const before = this.#last.get(agent);
    const message = isObject(record["message"]) ? (asString(record["message"]["id"]) ?? "") : "";
    this.#last.set(agent, { number: at.number, message });
    // Its tokens are repeated with every part of a message.
    const bearsUsage = message === "" || message !== before?.message;
    return { ...at, live: false, sidechain: agent, parent: before?.number, bearsUsage };
  }
}

function eventAt(
  record: JsonObject,
  place: RecordPlace,
  one: {
    readonly body: EventBody;
    readonly live: boolean;
    readonly at: number;
    readonly native: JsonObject;
  },
): AgentEvent {
  const ordinal = (place.before ?? 0) + one.at;
  const { number } = place;
  const fields = withoutAbsent({
    uuid: asString(record["uuid"]),
    parent: one.at === 0 ? place.parent : number,
    at: asString(record["timestamp"]),
    sidechain: place.sidechain,
  });
  return {
    // The first event has its record's number, so that the number alone always names something.
    number: eventNumber(number, ordinal + 1),
    ...fields,
    live: one.live,
    body: one.body,
    native: one.native,
  };
}

function isReplayed(body: EventBody, notReplayed: NotReplayed | undefined): boolean {
  if (notReplayed === undefined) return true;
  if (notReplayed === "all") return false;
  return !((body.type === "tool_use" || body.type === "tool_result") && notReplayed.has(body.call));
}

/** The subagent a call started: at the call by the subagent's own word, at the result where it has none. */
function subagentBody(
  body: EventBody,
  known: { readonly record: JsonObject; readonly subagents: ReadonlyMap<string, Subagent> },
): EventBody[] {
  if (body.type !== "tool_use" && body.type !== "tool_result") return [];
  const { call } = body;
  const subagent = known.subagents.get(call);
  if (body.type === "tool_use") {
    if (subagent === undefined) return [];
    const { session, name, status, description } = subagent;
    const extra = withoutAbsent({ name, status, summary: description });
    return [{ type: "subagent", session, call, ...extra }];
  }
  const result = known.record["toolUseResult"];
  const session = isObject(result) ? asString(result["agentId"]) : undefined;
  if (subagent !== undefined || session === undefined || !isObject(result)) return [];
  const extra = withoutAbsent({
    name: asString(result["agentType"]),
    status: asString(result["status"]),
  });
  return [{ type: "subagent", session, call, ...extra }];
}

/** The folder and branch a record moved to; both go along to whatever is read next. */
function movedBody(record: JsonObject, place: RecordPlace, along: Whereabouts): EventBody[] {
  if (place.sidechain !== undefined || place.moved === undefined) return [];
  const cwd = asString(record["cwd"]) ?? along.cwd;
  const branch = asString(record["gitBranch"]) ?? along.branch;
  const differs = cwd !== along.cwd || branch !== along.branch;
  along.cwd = cwd;
  along.branch = branch;
  if (place.moved === false || (place.moved === "ask" && !differs)) return [];
  const git = branch === undefined || branch === "" ? {} : { git: { branch } };
  return cwd === undefined ? [] : [{ type: "meta", cwd, ...git }];
}
