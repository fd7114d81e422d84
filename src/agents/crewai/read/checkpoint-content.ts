import { smallFile } from "../../../base/folders.ts";
import { asArray, asString, isObject, type JsonObject, parseObject } from "../../../base/json.ts";
import { limits } from "../../../base/limits.ts";
import { innerObjects } from "../../../json/inner-objects.ts";
import { decodeJsonb } from "../../../sqlite/jsonb.ts";
import { tableRows } from "../../../sqlite/table-rows.ts";
import { checkpoints } from "../stores.ts";

/** What a checkpoint says. */
export interface CheckpointContent {
  readonly entities: readonly JsonObject[];
  readonly tasks: readonly JsonObject[];
  /** What happened in the run, by the program's own event record, in its order. */
  readonly events: readonly JsonObject[];
  readonly version?: string;
  /** Only what was whole inside it could be read. */
  readonly isDamaged: boolean;
}

/** The content of a checkpoint's file; undefined if it is gone or too large. */
export function contentOfFile(path: string): CheckpointContent | undefined {
  const text = smallFile(path, limits.documentBytes);
  return text === undefined ? undefined : contentOfText(text);
}

/** The content of a row: text, or SQLite's binary JSON. */
export function contentOfValue(value: unknown): CheckpointContent | undefined {
  if (typeof value === "string") return contentOfText(value);
  if (!(value instanceof Uint8Array)) return undefined;
  try {
    const decoded = decodeJsonb(value);
    return isObject(decoded) ? contentOf(decoded, false) : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function contentOfText(text: string): CheckpointContent | undefined {
  const whole = parseObject(text);
  if (whole !== undefined) return contentOf(whole, false);
  const isTask = (one: JsonObject): boolean => "expected_output" in one && "description" in one;
  const isEvent = (one: JsonObject): boolean => "event_id" in one && "type" in one;
  const found = innerObjects(text, (one) => isTask(one) || isEvent(one));
  if (found.length === 0) return undefined;
  const record = Object.fromEntries(
    found.filter(isEvent).map((event, index) => [String(index), { event }]),
  );
  const entities = [{ entity_type: "crew", tasks: found.filter(isTask) }];
  return contentOf({ entities, event_record: { nodes: record } }, true);
}

function contentOf(data: JsonObject, isDamaged: boolean): CheckpointContent {
  const entities = asArray(data["entities"]).filter(isObject);
  const record = data["event_record"];
  const nodes = isObject(record) && isObject(record["nodes"]) ? record["nodes"] : {};
  const events = Object.values(nodes).flatMap((node) =>
    isObject(node) && isObject(node["event"]) ? [node["event"]] : [],
  );
  const version = asString(data["crewai_version"]);
  return {
    entities,
    tasks: entities.flatMap((entity) => asArray(entity["tasks"]).filter(isObject)),
    events: events.sort(bySequence),
    ...(version !== undefined && { version }),
    isDamaged,
  };
}

function bySequence(a: JsonObject, b: JsonObject): number {
  return (Number(a["emission_sequence"]) || 0) - (Number(b["emission_sequence"]) || 0);
}

/** The content of one row of a database; undefined if it cannot be reached. */
export function contentOfRow(path: string, id: string): CheckpointContent | undefined {
  for (const { row } of tableRows(path, checkpoints, () => undefined) ?? [])
    if (row["id"] === id) return contentOfValue(row["data"]);
  return undefined;
}

/** What a checkpoint is called: who ran, how far it came, on which branch. */
export function labelOf(branch: string, content: CheckpointContent): string {
  const { done, all } = progressOf(content);
  return `${nameOf(content)}: ${done} of ${all} tasks done (${branch})`;
}

function progressOf({ tasks }: CheckpointContent): {
  readonly done: number;
  readonly all: number;
} {
  return { done: tasks.filter(({ output }) => isObject(output)).length, all: tasks.length };
}

function nameOf({ entities }: CheckpointContent): string {
  const [first] = entities;
  return asString(first?.["name"]) || asString(first?.["entity_type"]) || "crew";
}
