import { asArray, asString } from "../base/json.ts";
import { journalEntries } from "../log/read-journal.ts";
import type { SessionHead } from "../model/head.ts";
import { type NamingFacts, nameOfHead } from "../model/head-name.ts";
import type { Home } from "./home.ts";

/** What the user said about a session another program owns: kept in the journal, never in its file (P3). */
export interface Marks {
  readonly title?: string | null;
  readonly tags?: readonly string[];
  readonly pinned?: boolean;
}

/** All marks, by `agent:session`; the last word counts. */
export function marksOf(home: Home): ReadonlyMap<string, Marks> {
  const marks = new Map<string, Marks>();
  for (const { data } of journalEntries(home.journal, ["mark"])) {
    const agent = asString(data["agent"]);
    const session = asString(data["session"]);
    if (agent === undefined || session === undefined) continue;
    const key = nameOfHead({ agent, session });
    const { before, change } = data;
    marks.set(key, { ...marksIn(data["replaces"] === true ? {} : before), ...marksIn(change) });
  }
  return marks;
}

/** What the user said about one session. */
export function markOf(marks: ReadonlyMap<string, Marks>, session: NamingFacts): Marks {
  return marks.get(nameOfHead(session)) ?? {};
}

/** The head as the user marked it. */
export function marked(head: SessionHead, marks: ReadonlyMap<string, Marks>): SessionHead {
  const mark = marks.get(nameOfHead(head));
  if (mark === undefined) return head;
  const { title, tags, pinned } = mark;
  return {
    ...head,
    ...(typeof title === "string" && { title, titled: true }),
    ...(tags !== undefined && { tags }),
    ...(pinned !== undefined && { pinned }),
  };
}

/** The agent and the session of a key such as `codex:3f9a`; ids may hold colons, names of agents do not. */
export function namedBy(key: string): { readonly agent: string; readonly session: string } {
  const at = key.indexOf(":");
  return { agent: key.slice(0, at), session: key.slice(at + 1) };
}

/** The marks that something says; what is none is left out. */
export function marksIn(value: unknown): Marks {
  if (typeof value !== "object" || value === null) return {};
  const { title, tags, pinned } = value as Record<string, unknown>;
  return {
    ...((typeof title === "string" || title === null) && { title }),
    ...(Array.isArray(tags) && { tags: asArray(tags).filter((tag) => typeof tag === "string") }),
    ...(typeof pinned === "boolean" && { pinned }),
  };
}
