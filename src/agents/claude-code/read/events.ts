import { asString, isObject, type JsonObject, withoutAbsent } from "../../../base/json.ts";
import type { EventBody } from "../../../model/event.ts";
import { eventNumber } from "../../../model/event-number.ts";
import type { AgentEvent } from "../../contract.ts";
import { draftsOf } from "./bodies.ts";
import type { NotReplayed } from "./not-replayed.ts";
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
  /** Whether the record tells another folder or branch than before; "ask" compares with what goes along. */
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

/** Makes the events of one session; it tells changes of folder and branch, and a subagent at its call. */
export function eventMaker(options: {
  readonly sideFolder: string;
  /** Subagents with transcripts of their own, by the call that started them. */
  readonly subagents: ReadonlyMap<string, Subagent>;
  readonly along: Whereabouts;
}): MakeEvents {
  const { sideFolder, subagents, along } = options;
  let boundary: JsonObject | undefined;
  return (record, place) => {
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
    return [...bodies, ...extra].map(({ body, live }, at) =>
      eventAt(record, place, { body, live, at }),
    );
  };
}

function eventAt(
  record: JsonObject,
  place: RecordPlace,
  one: { readonly body: EventBody; readonly live: boolean; readonly at: number },
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
    native: record,
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
