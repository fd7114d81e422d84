import { type Section, writeSections } from "../../context/sections.ts";
import { headingOf, type SectionName, sectionNames } from "../../model/note-sections.ts";
import { itemOf } from "./line.ts";
import type { ViewLine } from "./view.ts";

/** Which part of a ledger is reported. */
export type LedgerPart =
  /** All of it. */
  | "whole"
  /** What the next session needs to know: no files, nothing that is done. */
  | "brief"
  /** What a hand-off does not say. */
  | "rest"
  /** Decisions to keep in sight, constraints, what is open. */
  | "pinned";

/** How much of the budget a section may take, and what it gives up first. */
const shares: Readonly<Record<SectionName, readonly [share: number, giveUp: Section["giveUp"]]>> = {
  goal: [0.15, "newest"],
  constraints: [0.15, "newest"],
  done: [0.1, "oldest"],
  now: [0.15, "newest"],
  next: [0.1, "newest"],
  decisions: [0.15, "oldest"],
  questions: [0.1, "newest"],
  files: [0.1, "oldest"],
  notes: [0.1, "oldest"],
};

const order: Readonly<Record<LedgerPart, readonly SectionName[]>> = {
  whole: sectionNames,
  brief: ["goal", "constraints", "now", "next", "decisions", "questions", "notes"],
  rest: ["constraints", "questions", "notes"],
  pinned: ["decisions", "now", "next", "constraints"],
};

/** A part of a ledger as text within a budget; empty where it has nothing to say. */
export function tellLedger(
  view: readonly ViewLine[],
  options: {
    readonly part: LedgerPart;
    readonly introduction: string;
    readonly budgetTokens: number;
  },
): string {
  const { part, introduction, budgetTokens } = options;
  const sections = order[part].map((name): Section => {
    const isWanted = (line: ViewLine): boolean =>
      line.place === name && (part !== "pinned" || name !== "decisions" || line.pinned);
    const [share, giveUp] = shares[name];
    const lines = view.filter(isWanted).map(({ text }) => text);
    return { title: headingOf(name).slice(3), lines, share: Math.min(1, share * 1.5), giveUp };
  });
  const others = view.filter(({ place }) => place === "other").map(({ text }) => text);
  const more: Section = { title: "More", lines: others, share: 0.15, giveUp: "newest" };
  const all = part === "whole" || part === "rest" ? [...sections, more] : sections;
  if (all.every(({ lines }) => lines.length === 0)) return "";
  return writeSections(introduction, { sections: all, budgetTokens });
}

/** What came from outside since a moment; empty where nothing did. */
export function tellChanges(
  view: readonly ViewLine[],
  options: { readonly sinceMs: number; readonly budgetTokens: number },
): string {
  // What was given is known to the millisecond, what was saved to a part of it.
  const isLater = (atMs: number): boolean => Math.floor(atMs) > options.sinceMs;
  const fresh = view.filter(({ isFromOutside, atMs }) => isFromOutside && isLater(atMs));
  if (fresh.length === 0) return "";
  const lines = fresh.map(({ place, text }) =>
    place === "other" ? text : `- ${labels[place]}${itemOf(text)}`,
  );
  return writeSections("# New in the ledger", {
    sections: [{ title: "Since the last time", lines, share: 1, giveUp: "oldest" }],
    budgetTokens: options.budgetTokens,
  });
}

const labels: Readonly<Record<ViewLine["place"], string>> = {
  goal: "goal: ",
  constraints: "constraint: ",
  done: "done: ",
  now: "now: ",
  next: "next: ",
  decisions: "decision: ",
  questions: "open question: ",
  files: "file: ",
  notes: "",
  head: "",
  other: "",
};
