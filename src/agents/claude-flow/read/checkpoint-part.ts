import { basename } from "node:path";
import { isoTime } from "../../../base/clock.ts";
import { asString, parseObject } from "../../../base/json.ts";
import { looseFields } from "../../../json/inner-objects.ts";
import type { Damage } from "../../../model/damage.ts";
import type { RowPart } from "../../row-document.ts";

const keys = ["checkpoint", "task", "commit", "timestamp", "branch", "tag", "file", "type"];

/** One file of a checkpoint; undefined where another program wrote it. */
export function checkpointPart(
  path: string,
  text: string,
  onDamage: (damage: Damage) => void,
): RowPart | undefined {
  if (path.endsWith(".md")) return { body: { type: "note", content: text }, native: text };
  const whole = parseObject(text);
  const native = whole ?? looseFields(text, keys);
  const told = (key: string): string | undefined => asString(native[key]) || undefined;
  if (whole === undefined && text.trim() !== "")
    onDamage({
      kind: "bad_json",
      offset: 0,
      recovered: told("timestamp") ? 1 : 0,
      detail: basename(path),
    });
  const isEdit = told("file") !== undefined && (told("branch") ?? told("tag")) !== undefined;
  const isTask = told("checkpoint") !== undefined && told("commit") !== undefined;
  if (!isEdit && !isTask) return undefined;
  const label = isTask
    ? `${told("task") ?? "task"} (${told("checkpoint")}, commit ${told("commit")})`
    : `${told("type") ?? "edit"} ${told("file")} (${told("branch") ?? told("tag")})`;
  return {
    at: isoTime(told("timestamp")),
    body: { type: "checkpoint", label, data: native },
    native,
  };
}
