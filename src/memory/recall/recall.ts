import { type Environment, processEnvironment } from "../../base/env.ts";
import { limits } from "../../base/limits.ts";
import type { Finder } from "../../catalog/query/finder.ts";
import type { Freshness } from "../../catalog/query/found.ts";
import { openFinder, type SearchOptions } from "../../catalog/query/library.ts";
import type { Filter } from "../../catalog/query/query.ts";
import { stem } from "../../catalog/query/stem.ts";
import type { FoundTurn, FoundTurns } from "../../catalog/query/turns.ts";
import { wordsOf } from "../../catalog/query/words.ts";
import { type Estimate, estimateTokens } from "../../context/estimate.ts";
import { sourceAnswers } from "../agents/source-answers.ts";
import { type Memory, type MemoryOptions, openMemory } from "../memory.ts";
import type { Answer, RecalledEntry, RecalledTurn } from "./answer.ts";
import { withCounterparts } from "./counterparts.ts";
import { type Embedder, withVectors } from "./embed.ts";
import { besidesFor, type EntryAnswer, entriesFor } from "./entries.ts";
import { excerptOf } from "./excerpt.ts";
import { fitted } from "./fit.ts";
import { inGroups } from "./order.ts";
import { findReasons } from "./reasons.ts";

/** How a question is answered. */
export interface RecallOptions {
  /** What the whole answer may take. */
  readonly budgetTokens?: number;
  /** The maximum number of answers. */
  readonly limit?: number;
  /** Which sessions answer, as a search filters them; all unless given. */
  readonly filters?: readonly Filter[];
  /** Memories only, or turns only; both unless given. */
  readonly from?: "memories" | "sessions";
  /** Counts tokens; about four characters are one unless given. */
  readonly estimate?: Estimate;
  /** Makes vectors, which then count in the order of the answers. */
  readonly embed?: Embedder;
  /** How much vectors count, 0 to 1. */
  readonly vectorWeight?: number;
  /** Whether a turn may answer; every one unless given. */
  takes?(turn: RecalledTurn): boolean;
  /** A text as it may be shown, such as without secrets, before it is cut; as it is unless given. */
  shownAs?(text: string): string;
}

/** What is known that may answer a question. */
export interface Recalled {
  readonly question: string;
  /** Best first; of statements that belong together the newest first. */
  readonly answers: readonly Answer[];
  /** What else you stored or approved for this project: few, and not by their words. */
  readonly besides: readonly RecalledEntry[];
  readonly tokens: number;
  readonly budgetTokens: number;
  /** Answers that did not fit. */
  readonly leftOut: number;
  readonly freshness?: Freshness;
  readonly notes: readonly string[];
}

/** Answers questions from memories and from all sessions; open it once, ask it often. */
export interface Recall {
  ask(question: string, options?: RecallOptions): Promise<Recalled>;
  close(): void;
}

/** Opens what answers questions from the memories of a project and from every session of the machine. */
export async function openRecall(options: MemoryOptions & SearchOptions = {}): Promise<Recall> {
  const env = options.env ?? processEnvironment();
  const memory = openMemory(options);
  const finder = await openFinder(options);
  return {
    ask: (question, how) => answered(question, { memory, finder, env }, how),
    close: () => {
      finder.close();
      memory.close();
    },
  };
}

/** Answers one question from the memories of a project and from every session of the machine. */
export async function recall(
  question: string,
  options: RecallOptions & MemoryOptions & SearchOptions = {},
): Promise<Recalled> {
  const open = await openRecall(options);
  try {
    return await open.ask(question, options);
  } finally {
    open.close();
  }
}

/** A memory that has so much of what was asked comes before what was said in passing. */
const answeringPart = 0.5;
/** Which part of the tokens a project's other memories may take. */
const besidesPart = 0.25;

async function answered(
  question: string,
  {
    memory,
    finder,
    env,
  }: { readonly memory: Memory; readonly finder: Finder; readonly env: Environment },
  options: RecallOptions = {},
): Promise<Recalled> {
  const { budgetTokens = limits.recallTokens, filters = [], limit, from } = options;
  const found = await finder.turns({ text: question, filters });
  const { find, sought, freshness } = found;
  const quotes = findReasons(question, find);
  const { takes = () => true, shownAs = (text: string) => text } = options;
  const turns = from === "memories" ? [] : found.turns.map(turnAnswer).filter(takes);
  const own = from === "sessions" ? [] : await entriesFor(memory, sought);
  const notes =
    from === "sessions" ? [] : await sourceAnswers(memory, sought, { env, entries: own, turns });
  const entries = [...own, ...notes];
  const merged = joined(entries, turns);
  const { embed, vectorWeight: weight = 0.5 } = options;
  const sorted =
    embed === undefined ? merged : await withVectors(question, merged, { embed, weight });
  const asked = new Set(sought.flatMap(wordsOf).map(stem));
  const short = sorted.map((answer) => {
    const { text, isCut } = excerptOf(shownAs(answer.text), {
      find: quotes,
      chars: limits.recalledChars,
    });
    return { ...answer, text, isCut };
  });
  const groups = inGroups(withCounterparts(short, asked));
  const estimate = options.estimate ?? estimateTokens;
  const others = from === "sessions" ? [] : await othersOf(memory, found, shownAs);
  const room = fitted([others], { budgetTokens: budgetTokens * besidesPart, estimate });
  const { answers, tokens, leftOut } = fitted(groups, {
    budgetTokens: budgetTokens - room.tokens,
    estimate,
  });
  const shown = limit === undefined ? answers : answers.slice(0, limit);
  const given = new Set(shown.map(({ ref }) => ref));
  const besides = room.answers.filter(({ ref }) => !given.has(ref));
  return {
    question,
    answers: shown,
    besides,
    tokens: tokens + fitted([besides], { budgetTokens, estimate }).tokens,
    budgetTokens,
    leftOut: leftOut + answers.length - shown.length,
    freshness,
    notes: found.notes,
  };
}

/** The other memories of the project, short; those that answer have their place. */
async function othersOf(
  memory: Memory,
  { sought, find }: FoundTurns,
  shownAs: (text: string) => string,
): Promise<readonly RecalledEntry[]> {
  const own = await besidesFor(memory, sought, limits.recalledBesides);
  return own
    .filter(({ coverage }) => coverage < answeringPart)
    .map(({ entry }) => ({
      ...entry,
      ...excerptOf(shownAs(entry.text), { find, chars: limits.besidesChars }),
    }));
}

/** Memories that answer, turns, then memories that only share a word. */
function joined(entries: readonly EntryAnswer[], turns: readonly Answer[]): readonly Answer[] {
  const [strong, weak] = [true, false].map((isStrong) =>
    entries
      .filter(({ coverage }) => coverage >= answeringPart === isStrong)
      .map(({ entry }) => entry),
  );
  return [...strong!, ...turns, ...weak!];
}

function turnAnswer({ facts, number, kind, at, text, score }: FoundTurn): RecalledTurn {
  const { agent, session, title, cwd } = facts;
  return {
    kind: "turn",
    ref: `${agent}:${session}@${number}`,
    agent,
    session,
    number,
    role: kind,
    text,
    isCut: false,
    score,
    newer: [],
    older: [],
    ...(at !== undefined && { at }),
    ...(title !== undefined && { title }),
    ...(cwd !== undefined && { cwd }),
  };
}
