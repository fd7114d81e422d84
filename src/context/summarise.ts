import type { SessionEvent } from "../model/event.ts";
import { oneLine } from "../model/text.ts";
import type { Estimate } from "./estimate.ts";
import { type Extract, extract } from "./extract.ts";
import { isLook } from "./looking.ts";
import { quoted, type Section, type WritingBudget, writeSections } from "./sections.ts";

/** How long a summary may be. */
export interface SummaryOptions {
  /** The longest the text may become. */
  readonly budgetTokens?: number | undefined;
  /** Counts the tokens of a text; the built-in estimate unless given. */
  readonly estimate?: Estimate | undefined;
}

/** What a summary takes unless told otherwise. */
const summaryTokens = 2000;

/** Summarises a path in its own words, without a model: plain Markdown, bounded, deterministic. */
export function summarise(path: readonly SessionEvent[], options: SummaryOptions = {}): string {
  const found = extract(path);
  return writeSections("# Summary", {
    ...writingBudget(options),
    sections: [
      goalSection(found, 0.15),
      earlierSection(found, 0.2),
      promptsSection(found, 0.1),
      decisionsSection(found, 0.15),
      filesSection(found, 0.05),
      commandsSection(found, 0.05),
      openEndsSection(found, 0.1),
      lastRequestSection(found, 0.08),
      lastAnswerSection(found, 0.12),
    ],
  });
}

/** The budget that options ask for. */
export function writingBudget({ budgetTokens, estimate }: SummaryOptions): WritingBudget {
  return { budgetTokens: budgetTokens ?? summaryTokens, estimate };
}

/** The longest goal that is quoted; its share of the budget may cut it earlier. */
const goalChars = 12_000;

/** What the first prompt asked for. */
export function goalSection(found: Extract, share: number): Section {
  const lines = found.goal === undefined ? [] : quoted(found.goal, goalChars);
  return { title: "Goal", lines, share, giveUp: "newest" };
}

/** The prompts after the first, shortened. */
export function promptsSection(found: Extract, share: number): Section {
  const lines = found.laterPrompts.map((prompt) => `- ${oneLine(prompt, 240)}`);
  return { title: "Later requests", lines, share, giveUp: "oldest", noun: "requests" };
}

/** What an earlier compaction said. */
export function earlierSection(found: Extract, share: number): Section {
  const lines = found.earlierSummary === undefined ? [] : quoted(found.earlierSummary, 8000);
  return { title: "Earlier summary", lines, share, giveUp: "newest" };
}

/** What was decided, the newest last. */
export function decisionsSection(found: Extract, share: number): Section {
  const lines = found.decisions.map((decision) => `- ${decision}`);
  return { title: "Decisions", lines, share, giveUp: "oldest", noun: "decisions" };
}

/** Files, those that were changed last. */
export function filesSection(found: Extract, share: number): Section {
  const entries = [...found.files];
  const read = entries.filter(([, action]) => action === "read");
  const changed = entries.filter(([, action]) => action !== "read");
  const lines = [...read, ...changed].map(
    ([path, action]) => `- ${oneLine(path, 300)} (${action})`,
  );
  return { title: "Files touched", lines, share, giveUp: "oldest", noun: "files" };
}

/** Of the commands of a long session only some say where it stands. */
const mostCommands = 15;

/** So many of the last ones that did something are told before any that failed earlier. */
const lastCommands = 5;

/** The commands that say most: the last that did something, then what failed; what only looked comes last. */
export function commandsSection(found: Extract, share: number): Section {
  const doing = found.commands.filter(({ command }) => !isLook(command));
  const last = new Set(doing.slice(-lastCommands));
  const lines = found.commands.map(({ command, failure }) =>
    failure === undefined ? `- \`${command}\`` : `- \`${command}\` failed: ${failure}`,
  );
  return {
    title: "Commands",
    lines,
    share,
    giveUp: "oldest",
    noun: "commands",
    most: mostCommands,
    weights: found.commands.map((run) => {
      if (last.has(run)) return 3;
      if (run.failure !== undefined) return 2;
      return isLook(run.command) ? 0 : 1;
    }),
  };
}

/** What nobody has answered or finished. */
export function openEndsSection(found: Extract, share: number): Section {
  const lines = found.openEnds.map((end) => `- ${end}`);
  return { title: "Open ends", lines, share, giveUp: "newest" };
}

/** The last prompt, where it is not the first as well. */
export function lastRequestSection(found: Extract, share: number): Section {
  const text = found.laterPrompts.at(-1);
  const lines = text === undefined ? [] : quoted(text, 2000);
  return { title: "Last request", lines, share, giveUp: "newest" };
}

/** What the agent said last. */
export function lastAnswerSection(found: Extract, share: number): Section {
  const lines = found.lastAnswer === undefined ? [] : quoted(found.lastAnswer, 4000);
  return { title: "Last answer", lines, share, giveUp: "newest" };
}
