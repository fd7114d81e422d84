import { isoTime } from "../../../base/clock.ts";
import { asString, isObject, type JsonObject, parseObject } from "../../../base/json.ts";
import { innerObjects } from "../../../json/inner-objects.ts";
import type { DocumentContent } from "../../document.ts";
import { taskPart } from "./session-content.ts";

/** The tasks that 3.x keeps of a project in one file, as they were made. */
export function tasksContent(text: string): DocumentContent {
  const whole = parseObject(text);
  const tasks = whole?.["tasks"];
  const found = isObject(tasks)
    ? Object.values(tasks).filter(isObject)
    : innerObjects(text, isTask);
  const damage = whole === undefined && text.trim() !== "";
  return {
    parts: found.map((task) => ({ ...taskPart(task), at: isoTime(task["createdAt"]) })),
    damage: damage ? [{ kind: "bad_json", offset: 0, recovered: found.length }] : [],
  };
}

function isTask(one: JsonObject): boolean {
  return asString(one["taskId"])?.startsWith("task-") === true;
}
