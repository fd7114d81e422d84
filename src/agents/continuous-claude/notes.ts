import { fileStat, smallFile } from "../../base/folders.ts";
import { limits } from "../../base/limits.ts";
import type { Sections } from "../../model/note-sections.ts";
import type { AgentNotes, ProjectNotes } from "../notes-contract.ts";
import { handoffsOf, ledgersOf } from "./pages.ts";
import { sectionsOfHandoff, sectionsOfLedger } from "./sections.ts";

/** The newest hand-off of a project kept by Continuous-Claude, else its newest ledger. */
export const notes: AgentNotes = {
  of: (project) =>
    newestOf(handoffsOf(project), sectionsOfHandoff) ??
    newestOf(ledgersOf(project), sectionsOfLedger),
};

/** Pages that are tried, the newest first. */
const tried = 8;

/** The newest page that says something. */
function newestOf(
  pages: readonly string[],
  read: (text: string, path: string) => Sections,
): ProjectNotes | undefined {
  const dated = pages.flatMap((path) => {
    const stat = fileStat(path);
    return stat === undefined ? [] : [{ path, atMs: stat.modifiedMs }];
  });
  for (const { path, atMs } of dated.toSorted((a, b) => b.atMs - a.atMs).slice(0, tried)) {
    const text = smallFile(path, limits.ledgerBytes);
    const sections = text === undefined ? {} : read(text, path);
    if (Object.keys(sections).length > 0)
      return { from: "continuous-claude", path, atMs, sections };
  }
  return undefined;
}
