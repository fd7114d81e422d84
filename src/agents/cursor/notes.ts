import { join } from "node:path";
import { fileStat, smallFile } from "../../base/folders.ts";
import { limits } from "../../base/limits.ts";
import { itemsIn, paragraph, sectionsOf } from "../../model/note-markdown.ts";
import { filled, type SectionName } from "../../model/note-sections.ts";
import type { AgentNotes } from "../notes-contract.ts";
import { agentName } from "./name.ts";

/** The pages of a Memory Bank that say how far the work came, the one that says most first. */
const pages = ["activeContext.md", "progress.md"] as const;

/** What each section is called there. */
const headings: readonly (readonly [RegExp, SectionName])[] = [
  [/^current (?:work )?focus|^current state|^current task/, "now"],
  [/^next steps|^what'?s left|^remaining/, "next"],
  [/^recent changes|^what works|^completed/, "done"],
  [/^active decisions|^decisions|^key decisions/, "decisions"],
  [/^blockers|^known issues|^open questions/, "questions"],
];

/** What the Memory Bank of a project says of the work. */
export const notes: AgentNotes = {
  of: (project) => {
    const found = pages.flatMap((name) => {
      const path = join(project, "memory-bank", name);
      const text = smallFile(path, limits.ledgerBytes);
      const atMs = text === undefined ? undefined : fileStat(path)?.modifiedMs;
      return text === undefined || atMs === undefined ? [] : [{ path, text, atMs }];
    });
    const [first] = found;
    if (first === undefined) return undefined;
    const sections: Partial<Record<SectionName, string[]>> = {};
    for (const { text } of found)
      for (const [heading, lines] of sectionsOf(text)) {
        const name = headings.find(([shape]) => shape.test(heading))?.[1];
        if (name === undefined) continue;
        const items = itemsIn(lines);
        const said = items.length > 0 ? items : [paragraph(lines)];
        sections[name] = [...(sections[name] ?? []), ...said];
      }
    const atMs = Math.max(...found.map((page) => page.atMs));
    return { from: agentName, path: first.path, atMs, sections: filled(sections) };
  },
};
