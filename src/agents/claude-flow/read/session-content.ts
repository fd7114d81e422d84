import { isoTime } from "../../../base/clock.ts";
import { asString, type JsonObject } from "../../../base/json.ts";
import type { DocumentContent, DocumentPart } from "../../document.ts";
import { isEncrypted, sessionIn } from "../saved-session.ts";

/** A saved session: its name, then agents, tasks and what was remembered. */
export function sessionContent(text: string): DocumentContent {
  if (isEncrypted(text))
    return {
      parts: [],
      damage: [{ kind: "bad_record", offset: 0, recovered: 0, detail: "the program encrypted it" }],
    };
  const session = sessionIn(text);
  if (session === undefined) {
    const isNone = text.trim() === "" || isJson(text);
    return { parts: [], damage: isNone ? [] : [{ kind: "bad_json", offset: 0, recovered: 0 }] };
  }
  const { name, description, counts, agents, tasks, memory, damage, updatedAt } = session;
  const lines = [
    ...(name === undefined ? [] : [name]),
    ...(description === undefined ? [] : [description]),
    ...Object.entries(counts ?? {}).map(([key, value]) => `${key}: ${String(value)}`),
  ];
  const note: readonly DocumentPart[] =
    lines.length === 0
      ? []
      : [
          {
            at: isoTime(updatedAt),
            body: { type: "note", content: lines.join("\n") },
            native: counts ?? lines.join("\n"),
          },
        ];
  const parts = [
    ...note,
    ...agents.map(agentPart),
    ...tasks.map(taskPart),
    ...memory.map(memoryPart),
  ];
  return { parts, damage };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function agentPart(agent: JsonObject): DocumentPart {
  const name =
    asString(agent["name"]) ?? asString(agent["type"]) ?? asString(agent["id"]) ?? "agent";
  const status = asString(agent["status"]);
  const content = `${name}${status === undefined ? "" : `: ${status}`}`;
  return {
    body: { type: "agent", name, ...(status !== undefined && { status }), content },
    native: agent,
  };
}

/** A task as an event: what it is, and how far it came. */
export function taskPart(task: JsonObject): DocumentPart {
  const name = asString(task["id"]) ?? asString(task["taskId"]) ?? "task";
  const title =
    asString(task["description"]) ?? asString(task["name"]) ?? asString(task["type"]) ?? name;
  const status = asString(task["status"]);
  return {
    body: { type: "task", task: name, title, ...(status !== undefined && { status }) },
    native: task,
  };
}

function memoryPart(entry: JsonObject): DocumentPart {
  return { body: { type: "note", content: JSON.stringify(entry, null, 2) }, native: entry };
}
