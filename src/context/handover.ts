import { dayTime } from "../base/local-time.ts";
import type { SessionEvent } from "../model/event.ts";
import { oneLine } from "../model/text.ts";
import { type Extract, extract } from "./extract.ts";
import { textOf } from "./given.ts";
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
  writingBudget,
} from "./summarise.ts";

/** How long a hand-over may be, and which session it is of. */
export interface HandoverOptions extends SummaryOptions {
  /** The session as it is typed in a command. */
  readonly ref?: string | undefined;
}

/** The text with which another agent or person goes on; the caller masks secrets in it. */
export function handover(path: readonly SessionEvent[], options: HandoverOptions = {}): string {
  const found = extract(path);
  const introduction = `# Handoff\n\nThis continues ${sourceText(options.ref)} What follows was taken from its record; check it against the files before relying on it.`;
  return writeSections(introduction, {
    ...writingBudget(options),
    sections: [
      goalSection(found, 0.35),
      stateSection(found),
      earlierSection(found, 0.15),
      promptsSection(found, 0.1),
      decisionsSection(found, 0.05),
      filesSection(found, 0.07),
      commandsSection(found, 0.03),
      openEndsSection(found, 0.07),
      lastRequestSection(found, 0.05),
      lastAnswerSection(found, 0.08),
    ],
  });
}

function sourceText(ref: string | undefined): string {
  if (ref === undefined) return "a session that was begun elsewhere.";
  return `the session ${ref}; \`reprise show ${ref}\` prints all of it.`;
}

/** The text with which another agent or person continues from notes, state or memory; empty where these say nothing. */
export function notesHandover(path: readonly SessionEvent[], options: SummaryOptions = {}): string {
  const lines = path.flatMap(notedLines);
  if (lines.length === 0) return "";
  const introduction =
    "# Handoff\n\nThis was taken from what another program keeps about the work; check it against the files before relying on it.";
  return writeSections(introduction, {
    ...writingBudget(options),
    sections: [{ title: "Notes", lines, share: 1, giveUp: "newest" }],
  });
}

function notedLines(event: SessionEvent): readonly string[] {
  switch (event.type) {
    case "note":
    case "plan":
      // A heading of the notes is below that of the page.
      return textOf(event.content)
        .split(/\r?\n/)
        .filter((line) => line.trim() !== "")
        .map((line) => line.replace(/^#{1,3} /, "### "));
    case "task":
      return [`- Task ${event.title ?? event.task}${said(event.status)}`];
    case "agent":
      return [`- Agent ${event.name}${said(event.status)}`];
    case "file":
      return [`- File ${event.path}`];
    case "checkpoint":
      return event.label === undefined ? [] : [`- ${event.label}`];
    default:
      return [];
  }
}

function said(status: string | undefined): string {
  return status === undefined ? "" : `: ${status}`;
}

function stateSection({ state, startedAt, endedAt, turns, files, commands }: Extract): Section {
  const changed = [...files.values()].filter((action) => action !== "read").length;
  const failed = commands.filter(({ failure }) => failure !== undefined).length;
  const lines = [
    ...(state.cwd === undefined ? [] : [`- Directory: ${oneLine(state.cwd, 300)}`]),
    ...branchLines(state),
    ...(state.model === undefined ? [] : [`- Model: ${oneLine(state.model, 120)}`]),
    ...(startedAt === undefined
      ? []
      : [`- From ${dayTime(startedAt)} to ${dayTime(endedAt ?? startedAt)}`]),
    `- ${counted(turns, "request")}, ${counted(changed, "file")} changed, ${counted(commands.length, "command")} run${failed === 0 ? "" : `, ${failed} failed`}`,
  ];
  return { title: "State", lines, share: 0.05, giveUp: "newest" };
}

/** A branch that only the beginning names may have been left since, in ways the record does not show. */
function branchLines({ branch, isFirstBranch }: Extract["state"]): readonly string[] {
  if (branch === undefined) return [];
  return [`- ${isFirstBranch === true ? "Began on branch" : "Branch"}: ${oneLine(branch, 120)}`];
}

function counted(count: number, word: string): string {
  return count === 1 ? `1 ${word}` : `${count} ${word}s`;
}
