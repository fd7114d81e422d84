import { timeOf } from "../../base/clock.ts";
import { asString, parseObject } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";
import { oneLine } from "../../model/text.ts";

/** How far a task is. */
export type TaskStatus = "open" | "active" | "done" | "failed";

const statuses: readonly TaskStatus[] = ["open", "active", "done", "failed"];

/** A line of a project's team log: a task that changed, an agent that took over, or a note handed on. */
export type TeamEntry =
  | {
      readonly kind: "task";
      readonly at: string;
      readonly task: string;
      readonly status: TaskStatus;
      readonly agent?: string;
    }
  | { readonly kind: "agent"; readonly at: string; readonly agent: string }
  | {
      readonly kind: "handover";
      readonly at: string;
      readonly note: string;
      readonly from?: string;
      readonly to?: string;
    };

/** The name of a task or an agent as it is compared: without marks in front, in one case. */
export function plainName(name: string): string {
  return oneLine(name, limits.teamNameChars)
    .replace(/^[*@/#\s]+/, "")
    .toLowerCase();
}

/** The line of an entry. */
export function encodeEntry(entry: TeamEntry): string {
  return `${JSON.stringify(entry)}\n`;
}

/** The entries of a log in the order they were written; lines that are none are passed over. */
export function entriesIn(text: string | undefined): readonly TeamEntry[] {
  return (text ?? "").split("\n").flatMap((line) => {
    const record = line.trim() === "" ? undefined : parseObject(line);
    const entry = record === undefined ? undefined : entryOf(record);
    return entry === undefined ? [] : [entry];
  });
}

function entryOf(record: Readonly<Record<string, unknown>>): TeamEntry | undefined {
  const at = asString(record["at"]);
  if (at === undefined || timeOf(at) === undefined) return undefined;
  const name = (key: string): string | undefined =>
    plainName(asString(record[key]) ?? "") || undefined;
  const agent = name("agent");
  switch (record["kind"]) {
    case "task": {
      const task = name("task");
      const status = statuses.find((known) => known === record["status"]);
      if (task === undefined || status === undefined) return undefined;
      return { kind: "task", at, task, status, ...(agent !== undefined && { agent }) };
    }
    case "agent":
      return agent === undefined ? undefined : { kind: "agent", at, agent };
    case "handover": {
      const note = oneLine(asString(record["note"]) ?? "", limits.ledgerItemChars);
      const from = name("from");
      const to = name("to");
      if (note === "") return undefined;
      const ends = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
      return { kind: "handover", at, note, ...ends };
    }
    default:
      return undefined;
  }
}
