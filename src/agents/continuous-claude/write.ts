import { join } from "node:path";
import { isoNow } from "../../base/clock.ts";
import { statOf } from "../../base/folders.ts";
import type { Sections } from "../../model/note-sections.ts";
import type { OutgoingNotes } from "../../model/outgoing.ts";
import { oneLine } from "../../model/text.ts";
import { addFiles, localParts, slugOf, takeFilesBack } from "../add-notes.ts";
import type { NotesOptions, NotesWriter, Written } from "../contract.ts";
import { idOf } from "./locate.ts";
import { placesIn } from "./pages.ts";

/** Writes a hand-off, or in a project of the second version a ledger, that its SessionStart hook gives to the model. */
export const notesWriter: NotesWriter = { write, takeBack: takeFilesBack };

async function write(notes: OutgoingNotes, options: NotesOptions): Promise<Written> {
  const { cwd } = options.about;
  const { ledgers, handoffs } = placesIn(cwd);
  // Of the second version only ledgers are certain to be looked at.
  const isSecond = statOf(ledgers) !== undefined && statOf(handoffs) === undefined;
  const file = isSecond ? ledger(notes, ledgers, options) : handoff(notes, handoffs, options);
  return addFiles(
    [file],
    { agent: "continuous-claude", session: idOf(file.path), root: cwd },
    options,
  );
}

function nameOf({ about }: NotesOptions): string {
  return slugOf(about.title ?? about.from.session);
}

/** The newest file of all folders counts: its name only has to be new. */
function handoff(
  { sections, page }: OutgoingNotes,
  folder: string,
  options: NotesOptions,
): { readonly path: string; readonly text: string } {
  const { about } = options;
  const { day, time } = localParts(new Date());
  const name = `${day}_${time.replace(":", "-")}_${nameOf(options)}-${Date.now().toString(36)}.yaml`;
  const origin = `${about.from.agent}:${about.from.session}`;
  const text = `---
session: general
date: ${day}
status: partial
outcome: PARTIAL_PLUS
origin: ${quoted(origin)}
---

goal: ${quoted(goalOf(sections, about.title ?? origin))}
now: ${quoted(nowOf(sections, "Read the summary below"))}

done_this_session:${list(sections.done, "task: ")}

questions:${list(sections.questions)}

decisions:${list(sections.decisions)}

constraints:${list(sections.constraints)}

next:${list(sections.next)}

files:
  created: []
  modified:${list(sections.files, "", "    ")}

summary: |
${page
  .split("\n")
  .map((line) => (line === "" ? "" : `  ${line}`))
  .join("\n")}
`;
  return { path: join(folder, "general", name), text };
}

function ledger(
  { sections, page }: OutgoingNotes,
  folder: string,
  options: NotesOptions,
): { readonly path: string; readonly text: string } {
  const name = `${nameOf(options)}-${Date.now().toString(36)}`;
  const items = (lines: readonly string[] = []): string =>
    lines.length === 0 ? "- None known" : lines.map((line) => `- ${oneLine(line, 300)}`).join("\n");
  const done = (sections.done ?? []).map((line) => `\n  - [x] ${oneLine(line, 300)}`).join("");
  const text = `# Session: ${name}
Updated: ${isoNow()}

## Goal
${goalOf(sections, options.about.title ?? name)}

## Constraints
${items(sections.constraints)}

## Key Decisions
${items(sections.decisions)}

## State
- Done:${done}
- Now: [→] ${nowOf(sections, "Read the hand-over below")}
- Next: ${oneLine(sections.next?.join("; ") || "Continue", 300)}

## Open Questions
${items(sections.questions)}

## Working Set
${items(sections.files)}

## Agent Reports
### reprise (${isoNow().slice(0, 10)})
${page.replace(/^#+ /gm, "#### ")}
`;
  return { path: join(folder, `CONTINUITY_CLAUDE-${name}.md`), text };
}

function goalOf(sections: Sections, otherwise: string): string {
  return oneLine(sections.goal?.[0] ?? otherwise, 300);
}

function nowOf(sections: Sections, otherwise: string): string {
  return oneLine(sections.now?.[0] ?? sections.next?.[0] ?? otherwise, 300);
}

/** Its own parser takes quotes off and knows no escapes. */
function quoted(text: string): string {
  return `"${text.replaceAll('"', "'").replaceAll("\\", "/")}"`;
}

function list(lines: readonly string[] = [], before = "", indent = "  "): string {
  if (lines.length === 0) return " []";
  return lines.map((line) => `\n${indent}- ${before}${quoted(oneLine(line, 300))}`).join("");
}
