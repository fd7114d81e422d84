import { join } from "node:path";
import { entriesOf, namesIn, statOf } from "../../base/folders.ts";
import { limits } from "../../base/limits.ts";

const ledgerName = /^CONTINUITY_CLAUDE-.*\.md$/;
const handoffName = /\.(?:ya?ml|md)$/;

/** The folder of a project that the program works in. */
export function thoughtsIn(project: string): string {
  return join(project, "thoughts");
}

/** The folder of ledgers of a project, and the folder of its hand-offs. */
export function placesIn(project: string): { readonly ledgers: string; readonly handoffs: string } {
  const thoughts = thoughtsIn(project);
  return { ledgers: join(thoughts, "ledgers"), handoffs: join(thoughts, "shared", "handoffs") };
}

/** The ledgers of a project; a missing folder costs one stat. */
export function ledgersOf(project: string): readonly string[] {
  return pagesIn(placesIn(project).ledgers, ledgerName);
}

/** The hand-offs of a project, in one folder for each session's name. */
export function handoffsOf(project: string): readonly string[] {
  const { handoffs } = placesIn(project);
  const folders = entriesOf(handoffs).filter((entry) => entry.isDirectory());
  return folders
    .slice(0, limits.foreignFiles)
    .flatMap(({ name }) => pagesIn(join(handoffs, name), handoffName));
}

/** Whether a project has anything of it. */
export function isKept(project: string): boolean {
  return statOf(thoughtsIn(project)) !== undefined;
}

/** Whether a path is where the program keeps a page, whatever project it is of. */
export function isPagePath(path: string): boolean {
  return /[/\\]thoughts[/\\](?:ledgers[/\\]CONTINUITY_CLAUDE-[^/\\]*\.md|shared[/\\]handoffs[/\\][^/\\]+[/\\][^/\\]+\.(?:ya?ml|md))$/.test(
    path,
  );
}

/** Whether a page is a ledger, not a hand-off. */
export function isLedger(path: string): boolean {
  return /[/\\]CONTINUITY_CLAUDE-[^/\\]*\.md$/.test(path);
}

function pagesIn(folder: string, wanted: RegExp): readonly string[] {
  const names = namesIn(folder).filter((name) => wanted.test(name));
  return names.slice(-limits.foreignFiles).map((name) => join(folder, name));
}
