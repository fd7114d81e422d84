import { asCount, asString, type JsonObject, parseObject } from "../../base/json.ts";
import type { Damage } from "../../model/damage.ts";
import { openForReading } from "../../sqlite/open.ts";
import { remembered } from "../../sqlite/remembered.ts";
import { tableRows } from "../../sqlite/table-rows.ts";
import { flowStates, pendingFeedback, textIn } from "./stores.ts";
import { momentOf } from "./times.ts";

/** One flow: its newest state. */
export interface ListedFlow {
  readonly flow: string;
  readonly method: string;
  readonly begunAt?: string;
  readonly at?: string;
  readonly steps: number;
  readonly state: JsonObject;
  /** It waits for a person. */
  readonly isPending: boolean;
}

/** The flows of one state of a database. */
export interface FlowList {
  readonly flows: ReadonlyMap<string, ListedFlow>;
  readonly damage: readonly Damage[];
}

/** Databases whose lists are remembered. */
export const keptDatabases = 8;

/** The flows of a database, remembered until it changes; undefined if it holds none. */
export const flowsIn: (path: string) => FlowList | undefined = remembered(listed, keptDatabases);

function listed(path: string): FlowList | undefined {
  try {
    return queried(path);
  } catch {
    return gathered(path);
  }
}

function queried(path: string): FlowList | undefined {
  const database = openForReading(path);
  try {
    const columns = database.columns(flowStates.table);
    if (!flowStates.columns.every((name) => columns.includes(name))) {
      if (database.damage.length > 0) throw new Error("the schema is damaged");
      return undefined;
    }
    const hasPending = database.columns(pendingFeedback.table).includes("flow_uuid");
    const pending = new Set(
      hasPending
        ? [...database.rows("select flow_uuid from pending_feedback")].map(
            (row) => row["flow_uuid"],
          )
        : [],
    );
    const flows = new Map<string, ListedFlow>();
    const sql = `select f.flow_uuid as flow_uuid, f.method_name as method_name, f.timestamp as timestamp,
      case when octet_length(f.state_json) <= 65536 then f.state_json end as state_json, g.steps as steps, g.begun as begun
      from (select max(id) as id, count(*) as steps, min(timestamp) as begun from flow_states group by flow_uuid) g
      join flow_states f on f.id = g.id`;
    for (const row of database.rows(sql)) {
      const flow = flowOf(row, { steps: asCount(row["steps"]) ?? 0, begun: row["begun"], pending });
      if (flow !== undefined) flows.set(flow.flow, flow);
    }
    return { flows, damage: database.damage };
  } finally {
    database.close();
  }
}

/** The same row by row, where the database is damaged. */
function gathered(path: string): FlowList | undefined {
  const damage: Damage[] = [];
  const rows = tableRows(path, flowStates, (one) => damage.push(one));
  if (rows === undefined) return undefined;
  const flows = new Map<string, ListedFlow>();
  for (const { row } of rows) {
    const known = flows.get(textIn(row, "flow_uuid") ?? "");
    const begun = known?.begunAt ?? row["timestamp"];
    const steps = (known?.steps ?? 0) + 1;
    const flow = flowOf(row, { steps, begun, pending: new Set() });
    if (flow !== undefined) flows.set(flow.flow, flow);
  }
  return flows.size === 0 && damage.length > 0 ? undefined : { flows, damage };
}

function flowOf(
  row: JsonObject,
  facts: {
    readonly steps: number;
    readonly begun: unknown;
    readonly pending: ReadonlySet<unknown>;
  },
): ListedFlow | undefined {
  const flow = textIn(row, "flow_uuid");
  if (flow === undefined) return undefined;
  const at = momentOf(row["timestamp"]);
  const begunAt = momentOf(facts.begun);
  return {
    flow,
    method: textIn(row, "method_name") ?? "",
    ...(begunAt !== undefined && { begunAt }),
    ...(at !== undefined && { at }),
    steps: facts.steps,
    state: parseObject(asString(row["state_json"]) ?? "") ?? {},
    isPending: facts.pending.has(flow),
  };
}
