import { join } from "node:path";
import { namesIn, smallFile } from "../../../base/folders.ts";
import { hashText } from "../../../base/hash.ts";
import { sessionIdProblem } from "../../../base/ids.ts";
import { asArray, asString, isObject, type JsonObject, withoutAbsent } from "../../../base/json.ts";
import { limits } from "../../../base/limits.ts";
import type { AgentEvent } from "../../contract.ts";

/** The session's task list: it lies beside the transcript and has no place in its order. */
export interface TaskList {
  readonly events: readonly AgentEvent[];
  /** Changes when the list does; undefined if there is none. */
  readonly stamp?: string;
}

/** The task list as the program keeps it now, in the layout of any version. */
export function taskList(root: string, session: string): TaskList {
  // The id becomes part of a path here.
  if (sessionIdProblem(session) !== undefined) return { events: [] };
  const texts: string[] = [];
  const events = [
    ...tasksOf(join(root, "tasks", session), texts),
    ...todosOf(join(root, "todos", `${session}-agent-${session}.json`), texts),
  ];
  return events.length === 0
    ? { events }
    : { events, stamp: hashText(texts.join("\n")).toString(36) };
}

/** Lists of version 2.1: one file a task. */
function tasksOf(folder: string, texts: string[]): readonly AgentEvent[] {
  return listed(folder).flatMap((file) => {
    const name = file.replace(/\.json$/, "");
    const task = jsonIn(join(folder, file), texts);
    if (!isObject(task)) return [];
    const id = asString(task["id"]) ?? name;
    return [taskEvent(`tasks/${name}`, { id, task, title: task["subject"] })];
  });
}

/** Lists of older versions: one file a session. */
function todosOf(file: string, texts: string[]): readonly AgentEvent[] {
  return asArray(jsonIn(file, texts))
    .filter(isObject)
    .map((task, at) => {
      const id = asString(task["id"]) ?? String(at + 1);
      return taskEvent(`todos/${at + 1}`, { id, task, title: task["content"] });
    });
}

function taskEvent(
  number: string,
  of: { readonly id: string; readonly task: JsonObject; readonly title: unknown },
): AgentEvent {
  const { id, task } = of;
  const blockedBy = asArray(task["blockedBy"]).flatMap((other) => asString(other) ?? []);
  const extra = withoutAbsent({ title: asString(of.title), status: asString(task["status"]) });
  const dependsOn = blockedBy.length > 0 ? { dependsOn: blockedBy } : {};
  const body = { type: "task" as const, task: id, ...extra, ...dependsOn, data: task };
  return { number, live: false, body, native: task };
}

function listed(folder: string): readonly string[] {
  return namesIn(folder)
    .filter((name) => /^[A-Za-z0-9_-]{1,64}\.json$/.test(name))
    .sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10) || (a < b ? -1 : 1));
}

function jsonIn(path: string, texts: string[]): unknown {
  const text = smallFile(path, limits.headBytesMax);
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    texts.push(text);
    return value;
  } catch {
    // A task list being written is read the next time.
    return undefined;
  }
}
