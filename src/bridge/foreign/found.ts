import type { SectionName } from "../ledger/sections.ts";

/** What another program wrote down about the work in a project, in our sections. */
export interface ForeignNotes {
  /** The program. */
  readonly from: string;
  readonly path: string;
  readonly atMs: number;
  readonly sections: Readonly<Partial<Record<SectionName, readonly string[]>>>;
}

/** Sections without the empty ones. */
export function filled(
  sections: Readonly<Record<string, readonly string[] | undefined>>,
): ForeignNotes["sections"] {
  const entries = Object.entries(sections).map(
    ([name, lines]) => [name, (lines ?? []).map((line) => line.trim()).filter(Boolean)] as const,
  );
  return Object.fromEntries(entries.filter(([, lines]) => lines.length > 0));
}
