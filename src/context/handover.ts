import type { SessionEvent } from "../model/event.ts";
import { oneLine } from "../model/text.ts";
import { type Extract, extract } from "./extract.ts";
import { type Section, writeSections } from "./sections.ts";
import {
  commandsSection,
  decisionsSection,
  earlierSection,
  filesSection,
  goalSection,
  lastAnswerSection,
  lastRequestSection,
  openEndsSection,
  promptsSection,
  type SummaryOptions,
  summaryTokens,
} from "./summarise.ts";

/** The text with which another agent or person goes on; the caller masks secrets in it. */
export function handover(path: readonly SessionEvent[], options: SummaryOptions = {}): string {
  const found = extract(path);
  const introduction =
    "# Hand-over\n\nThis continues a session that was begun elsewhere. What follows was taken from its record; check it against the files before relying on it.";
  return writeSections(introduction, {
    budgetTokens: options.budgetTokens ?? summaryTokens,
    sections: [
      goalSection(found, 0.15),
      stateSection(found),
      earlierSection(found, 0.2),
      promptsSection(found, 0.1),
      decisionsSection(found, 0.1),
      filesSection(found, 0.1),
      commandsSection(found, 0.05),
      openEndsSection(found, 0.1),
      lastRequestSection(found, 0.06),
      lastAnswerSection(found, 0.09),
    ],
  });
}

function stateSection({ state, startedAt, endedAt, turns, files, commands }: Extract): Section {
  const changed = [...files.values()].filter((action) => action !== "read").length;
  const failed = commands.filter(({ failure }) => failure !== undefined).length;
  const lines = [
    ...(state.cwd === undefined ? [] : [`- Directory: ${oneLine(state.cwd, 300)}`]),
    ...(state.branch === undefined ? [] : [`- Branch: ${oneLine(state.branch, 120)}`]),
    ...(state.model === undefined ? [] : [`- Model: ${oneLine(state.model, 120)}`]),
    ...(startedAt === undefined ? [] : [`- From ${startedAt} to ${endedAt ?? startedAt}`]),
    `- ${counted(turns, "request")}, ${counted(changed, "file")} changed, ${counted(commands.length, "command")} run, ${failed} failed`,
  ];
  return { title: "State", lines, share: 0.05, giveUp: "newest" };
}

function counted(count: number, word: string): string {
  return count === 1 ? `1 ${word}` : `${count} ${word}s`;
}
