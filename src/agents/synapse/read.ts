import { isoTime } from "../../base/clock.ts";
import { parseObject } from "../../base/json.ts";
import type { ReadBatch, ReadOptions, SessionRef } from "../contract.ts";
import { type DocumentContent, type DocumentPart, readDocument } from "../document.ts";
import { historyOf, type SynapseState, stateIn } from "./state.ts";

/** What the program knows of a session: what it is about, who is active, how full its context was. */
export function read(ref: SessionRef, options: ReadOptions = {}): AsyncGenerator<ReadBatch> {
  return readDocument(ref, options, contentOf);
}

function contentOf(text: string): DocumentContent {
  const found = stateIn(text);
  if (found !== undefined) return { parts: partsOf(found.state), damage: found.damage };
  const isOther = text.trim() === "" || parseObject(text) !== undefined;
  return { parts: [], damage: isOther ? [] : [{ kind: "bad_json", offset: 0, recovered: 0 }] };
}

function partsOf(state: SynapseState): readonly DocumentPart[] {
  const { title, agent, task, workflow, bracket, native } = state;
  const at = isoTime(state.lastActivity);
  const lines = [
    ...(title === undefined ? [] : [`Goal: ${title}`]),
    ...(workflow === undefined ? [] : [`Workflow: ${workflow}`]),
    ...(bracket === undefined
      ? []
      : [`Context: ${bracket}, ${String(native["prompt_count"] ?? "?")} prompts`]),
    ...historyOf(state).map(([label, names]) => `${label}: ${names}`),
  ];
  return [
    { at, body: { type: "note", content: lines.join("\n") }, native },
    ...(agent === undefined
      ? []
      : [{ at, body: { type: "agent", name: agent, status: "active" } } as const]),
    ...(task === undefined
      ? []
      : [{ at, body: { type: "task", task, status: "active" } } as const]),
  ];
}
