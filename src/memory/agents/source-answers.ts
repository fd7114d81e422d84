import { type KeptNote, keptNotes } from "../../agents/kept-notes.ts";
import type { Environment } from "../../base/env.ts";
import { limits } from "../../base/limits.ts";
import { stem } from "../../catalog/query/stem.ts";
import { wordsOf } from "../../catalog/query/words.ts";
import type { Memory } from "../memory.ts";
import { printOf } from "../print.ts";
import type { EntryAnswer } from "../recall/entries.ts";
import { textOf } from "../value.ts";
import { type AgentSource, joinedNotes } from "./sources.ts";

/** A page says much in passing: a note of it answers if it has this much of what was asked. */
const answeringPart = 0.5;

/**
 * The notes of agents' own memories that answer a question, those with most of it first, as quotations. What answers as a
 * memory or a turn does not answer twice; what was rejected, archived or forgotten does not answer.
 */
export async function sourceAnswers(
  memory: Memory,
  sought: readonly string[],
  others: {
    readonly env: Environment;
    /** The memories that answer. */
    readonly entries: readonly EntryAnswer[];
    /** The turns that answer. */
    readonly turns: readonly { readonly text: string }[];
  },
): Promise<readonly EntryAnswer[]> {
  const asked = new Set(sought.flatMap(wordsOf).map(stem));
  if (asked.size === 0) return [];
  // Of a namespace that is not this project's, what the project says is another's.
  const scopes = memory.namespace.project === undefined ? (["user"] as const) : undefined;
  const notes = await keptNotes(others.env, scopes && { scopes });
  const covered = notes
    .map((note) => ({ note, coverage: coverageOf(note, asked) }))
    .filter(({ coverage }) => coverage >= answeringPart)
    .toSorted((a, b) => b.coverage - a.coverage);
  const answered = new Set(others.entries.map(({ entry }) => printOf(entry.text)));
  const open = joinedNotes(covered.map(({ note }) => note)).filter(
    ({ print, text }) =>
      !answered.has(print) && !others.turns.some((turn) => turn.text.includes(text)),
  );
  if (open.length === 0) return [];
  const refused = await refusedPrints(memory, sought);
  return open
    .filter(({ print }) => !refused.has(print))
    .slice(0, limits.recalledNotes)
    .map((source) => answerOf(source, asked, memory.namespace.name));
}

/** The prints of what the user does not want to hear of again and that shares words with a question. */
async function refusedPrints(
  memory: Memory,
  sought: readonly string[],
): Promise<ReadonlySet<string>> {
  const { entries } = await memory.query({
    statuses: ["rejected", "archived"],
    similarTo: sought.join(" "),
    limit: limits.memoryPage,
  });
  const prints = entries.flatMap(({ value, metadata }) => [
    metadata["print"],
    printOf(textOf(value)),
  ]);
  return new Set([
    ...memory.forgottenPrints(),
    ...prints.filter((print) => typeof print === "string"),
  ]);
}

function coverageOf(
  { heading, text }: Pick<KeptNote, "heading" | "text">,
  asked: ReadonlySet<string>,
): number {
  const has = new Set(wordsOf(`${heading ?? ""} ${text}`).map(stem));
  return [...asked].filter((word) => has.has(word)).length / asked.size;
}

function answerOf(
  { text, scope, origins }: AgentSource,
  asked: ReadonlySet<string>,
  namespace: string,
): EntryAnswer {
  const { agent, path, line, heading } = origins[0]!;
  const coverage = coverageOf({ text, ...(heading !== undefined && { heading }) }, asked);
  return {
    coverage,
    entry: {
      kind: "entry",
      ref: line === undefined ? path : `${path}:${line}`,
      key: heading ?? agent,
      text,
      isCut: false,
      score: coverage,
      type: "knowledge",
      namespace: scope === "user" ? "user" : namespace,
      owner: agent,
      provenance: "imported",
      evidence: [],
      origins,
      isStale: false,
      newer: [],
      older: [],
    },
  };
}
