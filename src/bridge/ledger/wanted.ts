import { limits } from "../../base/limits.ts";
import type { SectionName } from "../../model/note-sections.ts";
import { oneLine } from "../../model/text.ts";
import type { Facts } from "./facts.ts";
import type { Kept, Origin } from "./kept.ts";
import { itemOf, keyOf } from "./line.ts";
import type { Wanted, WantedLine } from "./merge.ts";
import type { Note, NoteKind } from "./note.ts";

/** Everything a ledger is made from besides what stands in it. */
export interface Sources {
  readonly kept: Kept;
  readonly facts: Facts;
  readonly notes: readonly Note[];
  /** What other programs wrote down about this project, by section; absent where nobody looked. */
  readonly foreign?: Readonly<Partial<Record<SectionName, readonly string[]>>>;
  /** The lines on top. */
  readonly about: readonly string[];
}

const noteSections: Readonly<Record<NoteKind, SectionName>> = {
  note: "notes",
  goal: "goal",
  constraint: "constraints",
  decision: "decisions",
  question: "questions",
  next: "next",
  done: "done",
  end: "done",
};

/** What the ledger should say now: what it said before, what was learnt, noted, and found in other files. */
export function wantedLines(sources: Sources): Wanted {
  const { facts } = sources;
  const { tasks } = facts;
  const of = (status: "open" | "active" | "done"): readonly string[] | undefined =>
    tasks?.filter((task) => task.status === status).map(({ name }) => name);
  const goal = [
    ...noted(sources, "goal").slice(-1),
    ...learnt(sources, "goal", facts.goal === undefined ? undefined : [facts.goal]).slice(0, 1),
    ...found(sources, "goal"),
  ].slice(0, 1);
  // What was done stays done when the agent begins another list, unless it is taken up again.
  const again = new Set([...(of("open") ?? []), ...(of("active") ?? [])].map(keyOfTask));
  const done = lines(sources, "done", of("done")).filter(({ text }) => !again.has(keyOfTask(text)));
  const over = new Set(done.map(({ text }) => keyOfTask(text)));
  const open = ({ text }: WantedLine): boolean => !over.has(keyOfTask(text));
  return {
    head: sources.about.map((text) => ({ text, origin: "session" })),
    goal: goal.map(({ text, origin }) => ({ text: plain(itemOf(text)), origin })),
    constraints: lines(sources, "constraints", facts.constraints),
    done,
    now: lines(sources, "now", of("active")).filter(open),
    next: lines(sources, "next", of("open")).filter(open),
    decisions: lines(sources, "decisions", facts.decisions),
    questions: lines(sources, "questions", facts.questions),
    files: lines(sources, "files", facts.files),
    notes: lines(sources, "notes", undefined),
  };
}

function keyOfTask(text: string): string {
  return keyOf({ text, place: "done" });
}

/** Sections whose newest word replaces what was said before. */
const replaced: ReadonlySet<SectionName> = new Set(["now", "next", "questions"]);

function lines(
  sources: Sources,
  section: SectionName,
  fresh: readonly string[] | undefined,
): readonly WantedLine[] {
  const all = [
    ...found(sources, section),
    ...learnt(sources, section, fresh),
    ...noted(sources, section),
  ];
  // Said again, an item stands where it was said last.
  const byKey = new Map<string, WantedLine>();
  for (const line of all) {
    const key = keyOf({ text: line.text, place: section });
    byKey.delete(key);
    byKey.set(key, line);
  }
  return [...byKey.values()].slice(-limits.ledgerItems);
}

function learnt(
  { kept }: Sources,
  section: SectionName,
  fresh: readonly string[] | undefined,
): readonly WantedLine[] {
  const isBefore = replaced.has(section) && fresh !== undefined;
  const before = kept.lines.filter(
    (line) => !isBefore && line.place === section && line.origin === "session",
  );
  const said = [...before.map(({ text }) => itemOf(text)), ...(fresh ?? [])];
  // Of what a session learns only the newest part is kept; what people note is never pushed out by it.
  const most = section === "files" ? limits.ledgerItems : limits.ledgerItems / 2;
  return said.slice(-most).flatMap((text) => itemLine(text, { section, origin: "session" }));
}

function noted({ notes }: Sources, section: SectionName): readonly WantedLine[] {
  return notes
    .filter(({ kind }) => noteSections[kind] === section)
    .slice(-limits.ledgerItems / 2)
    .flatMap(({ text, kind }) =>
      itemLine(text, { section, origin: "note", pinned: kind === "decision" }),
    );
}

/** Where nobody looked into other programs' files, what was found there before still stands. */
function found({ foreign, kept }: Sources, section: SectionName): readonly WantedLine[] {
  const before = kept.lines.filter(
    ({ place, origin }) => place === section && origin === "foreign",
  );
  const said = foreign === undefined ? before.map(({ text }) => itemOf(text)) : foreign[section];
  return (said ?? [])
    .slice(0, limits.ledgerItems / 2)
    .flatMap((text) => itemLine(text, { section, origin: "foreign" }));
}

const boxes: Readonly<Partial<Record<SectionName, string>>> = {
  done: "[x] ",
  now: "[ ] ",
  next: "[ ] ",
};

function itemLine(
  text: string,
  {
    section,
    origin,
    pinned = false,
  }: { readonly section: SectionName; readonly origin: Origin; readonly pinned?: boolean },
): readonly WantedLine[] {
  const said = itemOf(oneLine(text, limits.ledgerItemChars));
  if (said === "") return [];
  return [{ text: `- ${boxes[section] ?? ""}${pinned ? "(pinned) " : ""}${said}`, origin }];
}

/** A line that no reader takes for a heading, a list or code. */
function plain(text: string): string {
  return text.replace(/^[#>`~\-*+\s]+/, "") || "(see the first prompt)";
}
