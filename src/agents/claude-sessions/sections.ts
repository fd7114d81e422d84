import { itemsIn, sectionsOf } from "../../model/note-markdown.ts";
import { filled, type Sections } from "../../model/note-sections.ts";

/** The sections of a page of notes; of its updates the last one says how things stand. */
export function sectionsOfNotes(text: string): Sections {
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
