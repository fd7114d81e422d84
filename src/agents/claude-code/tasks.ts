import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { sessionIdProblem } from "../../base/ids.ts";
import { asArray, asString, isObject, type JsonObject } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";
import type { AgentEvent } from "../contract.ts";
import { withoutAbsent } from "./content.ts";

/** The session's task list as events; it lies beside the transcript and has no place in its order. */
export function taskEvents(root: string, session: string): readonly AgentEvent[] {
  // The id becomes part of a path here.
  if (sessionIdProblem(session) !== undefined) return [];
  return [...tasksOf(join(root, "tasks", session)), ...todosOf(root, session)];
}

/** Lists of version 2.1: one file a task. */
function tasksOf(folder: string): readonly AgentEvent[] {
  return listed(folder).flatMap((name) => {
    const task = jsonIn(join(folder, name));
    if (!isObject(task)) return [];
    const id = asString(task["id"]) ?? name.replace(/\.json$/, "");
    return [
      taskEvent(`tasks/${name.replace(/\.json$/, "")}`, { id, task, title: task["subject"] }),
    ];
  });
}

/** Lists of older versions: one file a session. */
function todosOf(root: string, session: string): readonly AgentEvent[] {
  const todos = jsonIn(join(root, "todos", `${session}-agent-${session}.json`));
  return asArray(todos)
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
  try {
    if (statSync(folder, { throwIfNoEntry: false }) === undefined) return [];
    return readdirSync(folder)
      .filter((name) => /^[A-Za-z0-9_-]{1,64}\.json$/.test(name))
      .sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10) || (a < b ? -1 : 1))
      .slice(0, limits.directoryEntries);
  } catch {
    return [];
  }
}

function jsonIn(path: string): unknown {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined || !stat.isFile() || stat.size > limits.headBytesMax) return undefined;
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    // A task list being written is read the next time.
    return undefined;
  }
}
