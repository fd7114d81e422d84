import { basename, join } from "node:path";
import { statOf } from "../../base/folders.ts";
import type { OutgoingNotes } from "../../model/outgoing.ts";
import { oneLine } from "../../model/text.ts";
import { addFiles, localParts, type NewFile, slugOf, takeFilesBack } from "../add-notes.ts";
import type { NotesOptions, NotesWriter, Written } from "../contract.ts";
import { currentName, folderIn } from "./pages.ts";

/** Writes a page of notes; where the project never had an open session, the page becomes it. */
export const notesWriter: NotesWriter = { write, takeBack: takeFilesBack };

async function write(notes: OutgoingNotes, options: NotesOptions): Promise<Written> {
  const { about } = options;
  const folder = folderIn(about.cwd);
  const { day, time } = localParts(new Date());
  const name = slugOf(about.title ?? about.from.session);
  const file = `${day}-${time.replace(":", "")}-${name}-${Date.now().toString(36)}.md`;
  const page = { path: join(folder, file), text: pageOf(notes, { name, day, time, options }) };
  const current = join(folder, currentName);
  // What is open, or was ended, is the program's to say.
  const opened: readonly NewFile[] =
    statOf(current) === undefined ? [{ path: current, text: `${file}\n` }] : [];
  const ref = { agent: "claude-sessions", session: basename(file, ".md"), root: about.cwd };
  return addFiles([page, ...opened], ref, options);
}

function pageOf(
  { sections, page }: OutgoingNotes,
  about: {
    readonly name: string;
    readonly day: string;
    readonly time: string;
    readonly options: NotesOptions;
  },
): string {
  const { name, day, time, options } = about;
  const { from } = options.about;
  const goals = [...(sections.goal ?? []), ...(sections.next ?? [])];
  const done = sections.done ?? [];
  const next = sections.next ?? [];
  const lines = (items: readonly string[], mark = ""): string =>
    items.map((item) => `- ${mark}${oneLine(item, 300)}\n`).join("");
  const [hours, minutes] = time.split(":").map(Number) as [number, number];
  const clock = `${hours % 12 === 0 ? 12 : hours % 12}:${String(minutes).padStart(2, "0")} ${hours < 12 ? "AM" : "PM"}`;
  return `# ${name} - ${day} ${time}

## Session Overview
- Start time: ${day} ${time}
- From: ${from.agent}:${from.session}

## Goals
${goals.length === 0 ? "- Continue the session this comes from\n" : lines(goals)}
## Progress

### Update - ${day} ${clock}

**Summary**: ${oneLine(sections.now?.[0] ?? sections.goal?.[0] ?? "Handed over", 300)}

**Git Changes**:
${lines(sections.files ?? [], "Modified: ") || "- None known\n"}
**Todo Progress**: ${done.length} completed, ${sections.now?.length ?? 0} in progress, ${next.length} pending
${lines(done, "✓ Completed: ")}
**Issues**: ${oneLine(sections.questions?.join("; ") || "None known", 600)}

**Details**: ${oneLine(sections.decisions?.join("; ") || "See below", 600)}

## Hand-over

${page.replace(/^#+ /gm, "#### ")}
`;
}
