import { asString, type JsonObject } from "../../../base/json.ts";
import type { Damage } from "../../../model/damage.ts";
import { tableRows } from "../../../sqlite/table-rows.ts";
import type { RowPart } from "../../row-document.ts";
import { momentOfText } from "../entries.ts";
import { hiveTables } from "../tables.ts";

/** A hive mind, table by table: swarms with what they are for, agents, tasks, what they know and decided. */
export function* hiveParts(path: string, onDamage: (damage: Damage) => void): Generator<RowPart> {
  let isTold = false;
  for (const shape of hiveTables) {
    // A database is damaged once, whichever of its tables is asked.
    const tell = isTold ? () => undefined : onDamage;
    let place = 0;
    for (const { row } of tableRows(path, shape, (damage) => {
      isTold = true;
      tell(damage);
    }) ?? []) {
      place += 1;
      yield {
        number: `${shape.table}/${place}`,
        at: momentOfText(row["created_at"]),
        body: bodyOf(shape.table, row),
        native: row,
      };
    }
  }
}

function bodyOf(table: string, row: JsonObject): RowPart["body"] {
  const text = (key: string): string | undefined => asString(row[key]) || undefined;
  const id = text("id") ?? table;
  const status = text("status");
  const left = status === undefined ? {} : { status };
  switch (table) {
    case "agents": {
      const name = text("name") ?? id;
      const content = [name, text("type"), text("role"), status].filter(Boolean).join(", ");
      return { type: "agent", name, ...left, content };
    }
    case "tasks":
      return { type: "task", task: id, title: text("description") ?? id, ...left, data: row };
    case "collective_memory":
      return { type: "note", content: `${text("key") ?? id}\n${text("value") ?? ""}` };
    case "consensus_decisions":
      return {
        type: "note",
        content: `Decided: ${text("topic") ?? id}\n${text("decision") ?? ""}`,
      };
    default: {
      const name = text("name") ?? text("swarm_name") ?? id;
      const lines = [`${name}${status === undefined ? "" : ` (${status})`}`, text("objective")];
      return { type: "note", content: lines.filter(Boolean).join("\n") };
    }
  }
}
