import { asArray, asString, parseObject } from "../../../base/json.ts";
import type { Damage } from "../../../model/damage.ts";
import { tableRows } from "../../../sqlite/table-rows.ts";
import type { RowPart } from "../../row-document.ts";
import { longTermMemories, textIn } from "../stores.ts";
import { momentOfSeconds } from "../times.ts";

/** What versions before 1.10 remembered: a note for each task, with what to do better. */
export function* memoryParts(path: string, onDamage: (damage: Damage) => void): Generator<RowPart> {
  let place = 0;
  for (const { row } of tableRows(path, longTermMemories, onDamage) ?? []) {
    place += 1;
    const metadata = parseObject(asString(row["metadata"]) ?? "");
    const suggestions = asArray(metadata?.["suggestions"]).filter((one) => typeof one === "string");
    const expected = asString(metadata?.["expected_output"]);
    const lines = [
      textIn(row, "task_description") ?? "",
      ...(expected === undefined ? [] : [`Expected: ${expected}`]),
      ...suggestions.map((one) => `- ${one}`),
      ...(metadata === undefined ? [asString(row["metadata"]) ?? ""] : []),
    ].filter((line) => line !== "");
    const content = lines.join("\n");
    yield {
      number: String(place),
      at: momentOfSeconds(row["datetime"]),
      body: { type: "note", content },
      native: row,
    };
  }
}
