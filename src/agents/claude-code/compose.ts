import { asString, isObject, type JsonObject } from "../../base/json.ts";
import type { EventBody } from "../../model/event.ts";
import type { AgentEvent } from "../contract.ts";
import { draftsOf } from "./bodies.ts";
import { withoutAbsent } from "./content.ts";
import type { Unplayed } from "./pairs.ts";
import { chainTypes } from "./schema.ts";
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
  const told = new Set<string>();
  let boundary: JsonObject | undefined;
  return (record, place) => {
    if (record["subtype"] === "compact_boundary") boundary = record;
    const { bearsUsage, keepFrom } = place;
    const drafts = draftsOf(record, { bearsUsage, keepFrom, boundary, sideFolder });
    const bodies = drafts.map((draft) => ({
      body: draft.body,
      live: place.live && draft.replayed && isPlayed(draft.body, place.unplayed),
    }));
    const spawned = drafts.flatMap(({ body }) => subagentBody(body, { record, children, told }));
    const moved = place.sidechain === undefined ? movedBody(record, along) : [];
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
    parent: ordinal === 0 ? place.parent : one.at === 0 ? place.parent : number,
    at: asString(record["timestamp"]),
    sidechain: place.sidechain,
  });
  return {
    // The first event has its record's number, so that the number alone always names something.
    number: ordinal === 0 ? number : `${number}.${ordinal + 1}`,
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

/** The subagent a call started: by the child's own word where it is there, by the result's otherwise. */
function subagentBody(
  body: EventBody,
  known: {
    readonly record: JsonObject;
    readonly children: ReadonlyMap<string, Child>;
    readonly told: Set<string>;
  },
): EventBody[] {
  if (body.type !== "tool_use" && body.type !== "tool_result") return [];
  const { call } = body;
  if (known.told.has(call)) return [];
  const child = known.children.get(call);
  const result = known.record["toolUseResult"];
  const named = isObject(result) && body.type === "tool_result" ? result : {};
  const session = child?.session ?? asString(named["agentId"]);
  if (session === undefined) return [];
  known.told.add(call);
  const extra = withoutAbsent({
    name: child?.name ?? asString(named["agentType"]),
    status: child?.status ?? asString(named["status"]),
    summary: child?.description,
  });
  return [{ type: "subagent", session, call, ...extra }];
}

function movedBody(record: JsonObject, along: Along): EventBody[] {
  if (!chainTypes.has(asString(record["type"]) ?? "")) return [];
  const cwd = asString(record["cwd"]);
  const branch = asString(record["gitBranch"]);
  const newCwd = cwd !== undefined && cwd !== along.cwd;
  const newBranch = branch !== undefined && branch !== "" && branch !== along.branch;
  if (newCwd) along.cwd = cwd;
  if (newBranch) along.branch = branch;
  if (!newCwd && !newBranch) return [];
  return [{ type: "meta", ...(newCwd && { cwd }), ...(newBranch && { git: { branch } }) }];
}
