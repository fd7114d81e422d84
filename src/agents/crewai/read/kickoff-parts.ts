import { asNumber, asString, isObject, type JsonObject, parseObject } from "../../../base/json.ts";
import type { Damage } from "../../../model/damage.ts";
import { type TableRow, tableRows } from "../../../sqlite/table-rows.ts";
import type { RowPart } from "../../row-document.ts";
import { taskOutputs, textIn } from "../stores.ts";
import { momentOf } from "../times.ts";

/** The tasks of the last run in their order, each with what it gave. */
export function* kickoffParts(
  path: string,
  onDamage: (damage: Damage) => void,
): Generator<RowPart> {
  const rows = [...(tableRows(path, taskOutputs, onDamage) ?? [])].sort(byIndex);
  for (const [index, { row }] of rows.entries()) {
    const number = String(index + 1);
    const at = momentOf(row["timestamp"]);
    const text = asString(row["output"]) ?? "";
    const output = parseObject(text);
    if (output === undefined)
      onDamage({ kind: "bad_json", offset: 0, recovered: 1, detail: `output of task ${number}` });
    yield { number, at, body: taskBody(row, output ?? {}), native: row };
    const content = asString(output?.["raw"]) ?? text;
    if (content !== "")
      yield { number: `${number}.2`, at, body: resultBody(output, content), native: row };
  }
}

function byIndex(a: TableRow, b: TableRow): number {
  return (asNumber(a.row["task_index"]) ?? 0) - (asNumber(b.row["task_index"]) ?? 0);
}

function taskBody(row: JsonObject, output: JsonObject): RowPart["body"] {
  const task = textIn(row, "task_id") ?? "task";
  const title = asString(output["description"]) ?? textIn(row, "expected_output") ?? task;
  const inputs = parseObject(asString(row["inputs"]) ?? "");
  return {
    type: "task",
    task,
    title,
    status: "done",
    ...(isObject(inputs) && { data: { inputs } }),
  };
}

/** What an agent of the crew said at the end of a task. */
export function resultBody(output: JsonObject | undefined, content: string): RowPart["body"] {
  return { type: "agent", name: asString(output?.["agent"]) ?? "agent", status: "done", content };
}
