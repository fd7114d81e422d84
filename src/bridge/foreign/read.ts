import { limits } from "../../base/limits.ts";
import { withoutSecrets } from "../ledger/secrets.ts";
import type { SectionName } from "../ledger/sections.ts";
import { sectionNames } from "../ledger/sections.ts";
import { aios } from "./aios.ts";
import { claudeSessions } from "./claude-sessions.ts";
import { continuousClaude } from "./continuous-claude.ts";
import type { ForeignNotes } from "./found.ts";
import { synapse } from "./synapse.ts";

/**
 * What other programs for continuity left in a project, the newest first; what is older than a ledger may be is
 * left out. Their files are only read. They are anybody's: bounded, secrets hidden, never followed elsewhere.
 */
export function foreignNotes(
  project: string,
  { session, nowMs }: { readonly session: string; readonly nowMs: number },
): readonly ForeignNotes[] {
  const found = [
    continuousClaude(project),
    claudeSessions(project),
    aios(project),
    synapse(project, session),
  ];
  return found
    .filter((notes) => notes !== undefined)
    .filter(({ atMs }) => nowMs - atMs <= limits.ledgerFreshMs)
    .toSorted((a, b) => b.atMs - a.atMs);
}

/** All of them by section, the newest first. */
export function bySection(
  notes: readonly ForeignNotes[],
): Readonly<Partial<Record<SectionName, readonly string[]>>> {
  return Object.fromEntries(
    sectionNames.flatMap((name) => {
      const lines = notes.flatMap(({ sections }) => sections[name] ?? []);
      return lines.length === 0 ? [] : [[name, lines.map(withoutSecrets)]];
    }),
  );
}
