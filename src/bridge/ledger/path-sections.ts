import { limits } from "../../base/limits.ts";
import { extract } from "../../context/extract.ts";
import type { SessionEvent } from "../../model/event.ts";
import {
  filled,
  type SectionName,
  type Sections,
  sectionNamed,
} from "../../model/note-sections.ts";
import { oneLine } from "../../model/text.ts";
import { factsOfPath } from "./learn.ts";
import { withoutSecrets } from "./secrets.ts";

/** What a session's path comes to, by section: of a conversation what it says, of notes what they say; secrets hidden. */
export function sectionsOfPath(path: readonly SessionEvent[]): Sections {
  const { goal, constraints, decisions, questions, files, tasks = [] } = factsOfPath(path);
  const named = (status: string): readonly string[] =>
    tasks.filter((task) => task.status === status).map(({ name }) => name);
  const asked = extract(path).laterPrompts.at(-1) ?? goal;
  const active = named("active");
  const told = filled({
    goal: goal === undefined ? [] : [goal],
    constraints,
    done: named("done"),
    now: active.length > 0 || asked === undefined ? active : [short(asked)],
    next: named("open"),
    decisions,
    questions,
    files,
  });
  return filled({ ...notedSections(path), ...told });
}

function short(text: string): string {
  return oneLine(withoutSecrets(text), limits.ledgerItemChars);
}

/** What notes say under headings that name sections; what stands elsewhere are notes. */
function notedSections(path: readonly SessionEvent[]): Sections {
  const sections: Partial<Record<SectionName, string[]>> = {};
  let at: SectionName = "notes";
  for (const event of path) {
    if (event.type !== "note" || typeof event.content !== "string") continue;
    for (const line of event.content.split(/\r?\n/)) {
      const heading = /^#{1,4}\s+(.{1,200})$/.exec(line)?.[1];
      if (heading !== undefined) at = sectionNamed(heading) ?? "notes";
      const item = line.replace(/^\s*(?:[-*+]|\d{1,3}[.)])\s+/, "").trim();
      const lines = sections[at] ?? [];
      sections[at] = lines;
      if (heading === undefined && item !== "" && lines.length < limits.ledgerItems)
        lines.push(short(item));
    }
  }
  return sections;
}
