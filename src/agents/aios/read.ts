import { asNumber, asString, type JsonObject } from "../../base/json.ts";
import type { ReadBatch, ReadOptions, SessionRef } from "../contract.ts";
import { type DocumentContent, type DocumentPart, readDocument } from "../document.ts";
import { pageParts } from "../note-parts.ts";
import { isoMs } from "./head.ts";
import { isDigest } from "./places.ts";
import { type AiosState, stateIn } from "./state.ts";

/** What a state says: its workflow, agents, tasks and commands; of a digest its parts. */
export function read(ref: SessionRef, options: ReadOptions = {}): AsyncGenerator<ReadBatch> {
  return readDocument(ref, options, isDigest(ref.path) ? digestContent : stateContent);
}

function digestContent(text: string): DocumentContent {
  return { parts: pageParts("aios", text) };
}

function stateContent(text: string): DocumentContent {
  const found = stateIn(text);
  // Not a state is not a damage of one, unless it is damaged beyond recognition.
  if (found === undefined) {
    const isOther = text.trim() === "" || isJson(text);
    return { parts: [], damage: isOther ? [] : [{ kind: "bad_json", offset: 0, recovered: 0 }] };
  }
  const { state, damage } = found;
  return { parts: partsOf(state), damage };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function partsOf(state: AiosState): readonly DocumentPart[] {
  const { workflow, workflowState, commands, agents, tasks, story, native } = state;
  const lines = [
    ...(workflow === undefined ? [] : [`Workflow ${workflow}: ${workflowState ?? "begun"}`]),
    ...(commands.length === 0 ? [] : [`Commands: ${commands.join(", ")}`]),
  ];
  return [
    ...agents.map(agentPart),
    ...tasks.map(taskPart),
    ...(story === undefined ? [] : [filePart(story)]),
    ...(lines.length === 0
      ? []
      : [
          {
            at: isoMs(state.lastMs),
            body: { type: "note", content: lines.join("\n") },
            native,
          } as const,
        ]),
  ];
}

function agentPart(agent: JsonObject): DocumentPart {
  const name = asString(agent["agentId"]) ?? asString(agent["agentName"]) ?? "agent";
  const command = asString(agent["lastCommand"]);
  const content = `${name}${command === undefined ? "" : `: *${command}`}`;
  const at = isoMs(asNumber(agent["activatedAt"]));
  return { at, body: { type: "agent", name, status: "active", content }, native: agent };
}

function taskPart(task: JsonObject): DocumentPart {
  const name = asString(task["task"]) ?? "task";
  const agent = asString(task["agentId"]);
  const title = agent === undefined ? name : `${name} (${agent})`;
  const status = task["success"] === false ? "failed" : "done";
  const at = isoMs(asNumber(task["completedAt"]));
  return { at, body: { type: "task", task: name, title, status }, native: task };
}

function filePart(path: string): DocumentPart {
  return { body: { type: "file", path, action: "read" } };
}
