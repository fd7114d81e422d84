/** The parts of notes about work, such as a ledger, in the order they are written. */
export const sectionNames = [
  "goal",
  "constraints",
  "done",
  "now",
  "next",
  "decisions",
  "questions",
  "files",
  "notes",
] as const;

/** The name of a section of notes. */
export type SectionName = (typeof sectionNames)[number];

/** Notes by section; each line says one thing. */
export type Sections = Readonly<Partial<Record<SectionName, readonly string[]>>>;

/** Sections without the empty ones. */
export function filled(
  sections: Readonly<Partial<Record<SectionName, readonly string[] | undefined>>>,
): Sections {
  const entries = Object.entries(sections).map(
    ([name, lines]) => [name, (lines ?? []).map((line) => line.trim()).filter(Boolean)] as const,
  );
  return Object.fromEntries(entries.filter(([, lines]) => lines.length > 0));
}

/** What a section is called in the file; other names are understood on reading. */
const headings: Readonly<Record<SectionName, readonly [written: string, ...also: string[]]>> = {
  goal: ["Goal", "Goals"],
  constraints: ["Constraints"],
  done: ["Done"],
  now: ["Now", "In progress"],
  next: ["Next", "Next steps", "Remaining"],
  decisions: ["Decisions", "Key decisions"],
  questions: ["Open questions", "Questions"],
  files: ["Files", "Working set"],
  notes: ["Notes"],
};

/** The heading a section is written under. */
export function headingOf(section: SectionName): string {
  return `## ${headings[section][0]}`;
}

/** The section a title names, whatever its case; undefined if it is none of ours. */
export function sectionNamed(title: string): SectionName | undefined {
  const wanted = title.trim().replace(/:$/, "").toLowerCase();
  return sectionNames.find((name) =>
    headings[name].some((heading) => heading.toLowerCase() === wanted),
  );
}
