import { asString, parseObject } from "../../../base/json.ts";
import type { Damage } from "../../../model/damage.ts";
import { tableRows } from "../../../sqlite/table-rows.ts";
import type { RowPart } from "../../row-document.ts";
import { flowStates, pendingFeedback, textIn } from "../stores.ts";
import { momentOf } from "../times.ts";

/** A flow's states in order, one for each method that ended, and the question it waits with. */
export function* flowParts(
  path: string,
  flow: string,
  onDamage: (damage: Damage) => void,
): Generator<RowPart> {
  let place = 0;
  for (const { row } of tableRows(path, flowStates, onDamage) ?? []) {
    if (row["flow_uuid"] !== flow) continue;
    place += 1;
    const number = String(place);
    const text = asString(row["state_json"]) ?? "";
    const state = parseObject(text);
    const method = textIn(row, "method_name") ?? "a method";
    const at = momentOf(row["timestamp"]);
    if (state === undefined)
      onDamage({
        kind: "bad_json",
        offset: 0,
        recovered: text === "" ? 0 : 1,
        detail: `state ${number} of flow ${flow}`,
      });
    const shown = state === undefined ? text : JSON.stringify(state, null, 2);
    yield { number, at, body: { type: "checkpoint", label: method }, native: row };
    yield {
      number: `${number}.2`,
      at,
      body: { type: "note", content: `${method}\n${shown}` },
      native: row,
    };
  }
  yield* question(path, flow);
}

/** Tables of older databases are not there; what is damaged was reported with the states. */
function* question(path: string, flow: string): Generator<RowPart> {
  for (const { row } of tableRows(path, pendingFeedback, () => undefined) ?? []) {
    if (row["flow_uuid"] !== flow) continue;
    const context = parseObject(asString(row["context_json"]) ?? "") ?? {};
    const message = asString(context["message"]) ?? "";
    const output = context["method_output"];
    const said = typeof output === "string" ? output : JSON.stringify(output ?? null);
    const content = `Waits for a person after ${asString(context["method_name"]) ?? "a method"}: ${message}\n${said}`;
    yield {
      number: "feedback/1",
      at: momentOf(row["created_at"]),
      body: { type: "note", content },
      native: row,
    };
  }
}
