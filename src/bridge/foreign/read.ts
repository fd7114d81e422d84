import type { AgentNotes, ProjectNotes } from "../../agents/notes-contract.ts";
import { limits } from "../../base/limits.ts";
import { type Sections, sectionNames } from "../../model/note-sections.ts";
import { withoutSecrets } from "../ledger/secrets.ts";

/**
 * What other programs for continuity left in a project, the newest first; what is older than a ledger may be is
 * left out. Their files are only read. They are anybody's: bounded, secrets hidden, never followed elsewhere.
 */
export function foreignNotes(
  agents: readonly AgentNotes[],
  {
    project,
    session,
    nowMs,
  }: { readonly project: string; readonly session: string; readonly nowMs: number },
): readonly ProjectNotes[] {
  return agents
    .flatMap((agent) => agent.of(project, { session }) ?? [])
    .filter(({ atMs }) => nowMs - atMs <= limits.ledgerFreshMs)
    .toSorted((a, b) => b.atMs - a.atMs);
}

/** All of them by section, the newest first. */
export function bySection(notes: readonly ProjectNotes[]): Sections {
  return Object.fromEntries(
    sectionNames.flatMap((name) => {
      const lines = notes.flatMap(({ sections }) => sections[name] ?? []);
      return lines.length === 0 ? [] : [[name, lines.map(withoutSecrets)]];
    }),
  );
}
