import { join } from "node:path";
import { fileStat, smallFile } from "../../base/folders.ts";
import { limits } from "../../base/limits.ts";
import { type ForeignNotes, filled } from "./found.ts";
import { itemsIn, sectionsOf } from "./markdown.ts";

/** The notes of the session that claude-sessions has open in a project; undefined where none is. */
export function claudeSessions(project: string): ForeignNotes | undefined {
  const folder = join(project, ".claude", "sessions");
  const name = smallFile(join(folder, ".current-session"), limits.chunkBytes)?.trim() ?? "";
  // A name from a file becomes a path only as a plain name.
  if (!/^[\w][\w .()-]{0,200}\.md$/.test(name)) return undefined;
  const path = join(folder, name);
  const text = smallFile(path, limits.ledgerBytes);
  const atMs = fileStat(path)?.modifiedMs;
  if (text === undefined || atMs === undefined) return undefined;
  return { from: "claude-sessions", path, atMs, sections: sectionsOfNotes(text) };
}

/** The sections of a page of notes; of its updates the last one tells how things stand. */
export function sectionsOfNotes(text: string): ForeignNotes["sections"] {
  const goals = itemsIn(sectionsOf(text).get("goals") ?? []);
  const update = text.split(/^### Update\b.*$/m).at(-1) ?? "";
  const isUpdate = /^### Update\b/m.test(text);
  const labels = isUpdate ? labelled(update) : new Map<string, string>();
  const todos = text.split(/\r?\n/);
  return filled({
    goal: goals.slice(0, 1),
    next: [...goals.slice(1), ...marked(todos, /(?:Pending|☐|○):?\s*(.+)$/)],
    done: marked(todos, /[✓✔✅]\s*(?:Completed:)?\s*(.+)$/u),
    questions: [labels.get("issues") ?? ""],
    notes: [labels.get("summary") ?? "", labels.get("details") ?? ""],
    files: marked(todos, /(?:Modified|Added):\s*(.+)$/).flatMap((names) => names.split(/,\s*/)),
  });
}

/** The words behind each bold label. */
function labelled(text: string): ReadonlyMap<string, string> {
  const found = [...text.matchAll(/^\*\*([\w ]{1,40})\*\*:?[ \t]*(.*)$/gm)];
  return new Map(found.map(([, label = "", words = ""]) => [label.toLowerCase(), words]));
}

function marked(lines: readonly string[], mark: RegExp): readonly string[] {
  return lines.flatMap((line) => {
    const item = /^\s*[-*]\s+(.*)$/.exec(line)?.[1];
    const found = item === undefined ? undefined : mark.exec(item)?.[1];
    return found === undefined ? [] : [found];
  });
}
