/** The parts of a ledger, in the order they are written. */
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

export type SectionName = (typeof sectionNames)[number];

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

/** The section a title names, whatever its case; undefined where it is none of ours. */
export function sectionNamed(title: string): SectionName | undefined {
  const wanted = title.trim().replace(/:$/, "").toLowerCase();
  return sectionNames.find((name) =>
    headings[name].some((heading) => heading.toLowerCase() === wanted),
  );
}
