import { asString, isObject, type JsonObject } from "../../../base/json.ts";
import type { EventBody } from "../../../model/event.ts";
import { eventNumber } from "../../../model/event-number.ts";
import type { AgentEvent } from "../../contract.ts";
import { draftsOf } from "./bodies.ts";
import { withoutAbsent } from "./content.ts";
import type { Unplayed } from "./not-replayed.ts";
import type { Child } from "./subagents.ts";

/** Where a record stands, and what of it the program would replay. */
export interface Place {
  readonly number: string;
  readonly parent?: string | undefined;
  readonly live: boolean;
  readonly unplayed?: Unplayed | undefined;
  readonly sidechain?: string | undefined;
  readonly bearsUsage: boolean;
  readonly keepFrom?: number | undefined;
  /** Whether the record tells another folder or branch than before; "ask" compares with what goes along. */
  readonly moved?: boolean | "ask";
  /** How many events of the same line came before. */
  readonly before?: number;
}

/** What goes along from record to record, and into the cursor. */
export interface Along {
  cwd?: string | undefined;
  branch?: string | undefined;
}

/** Turns records into events, one after the other. */
export type Compose = (record: JsonObject, place: Place) => AgentEvent[];

/** A composer for one session; it tells changes of folder and branch, and a subagent at its call. */
export function composer(options: {
  readonly sideFolder: string;
  readonly children: ReadonlyMap<string, Child>;
  readonly along: Along;
}): Compose {
  const { sideFolder, children, along } = options;
  let boundary: JsonObject | undefined;
  return (record, place) => {
    if (record["subtype"] === "compact_boundary") boundary = record;
    const { bearsUsage, keepFrom } = place;
    const drafts = draftsOf(record, { bearsUsage, keepFrom, boundary, sideFolder });
    const bodies = drafts.map((draft) => ({
      body: draft.body,
      live: place.live && draft.replayed && isPlayed(draft.body, place.unplayed),
    }));
    const spawned = drafts.flatMap(({ body }) => subagentBody(body, { record, children }));
    const moved = movedBody(record, place, along);
    const extra = [...spawned, ...moved].map((body) => ({ body, live: place.live }));
    return [...bodies, ...extra].map(({ body, live }, at) =>
      eventAt(record, place, { body, live, at }),
    );
  };
}

function eventAt(
  record: JsonObject,
  place: Place,
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

function isPlayed(body: EventBody, unplayed: Unplayed | undefined): boolean {
  if (unplayed === undefined) return true;
  if (unplayed === "all") return false;
  return !((body.type === "tool_use" || body.type === "tool_result") && unplayed.has(body.call));
}

/** The subagent a call started: at the call by the child's own word, at the result where it has none. */
function subagentBody(
  body: EventBody,
  known: { readonly record: JsonObject; readonly children: ReadonlyMap<string, Child> },
): EventBody[] {
  if (body.type !== "tool_use" && body.type !== "tool_result") return [];
  const { call } = body;
  const child = known.children.get(call);
  if (body.type === "tool_use") {
    if (child === undefined) return [];
    const { session, name, status, description } = child;
    const extra = withoutAbsent({ name, status, summary: description });
    return [{ type: "subagent", session, call, ...extra }];
  }
  const result = known.record["toolUseResult"];
  const session = isObject(result) ? asString(result["agentId"]) : undefined;
  if (child !== undefined || session === undefined || !isObject(result)) return [];
  const extra = withoutAbsent({
    name: asString(result["agentType"]),
    status: asString(result["status"]),
  });
  return [{ type: "subagent", session, call, ...extra }];
}

/** The folder and branch a record moved to; both go along to whatever is read next. */
function movedBody(record: JsonObject, place: Place, along: Along): EventBody[] {
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
