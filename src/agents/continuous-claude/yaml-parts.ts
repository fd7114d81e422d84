/** Keys that name a section, as a page would. */
const headings: Readonly<Record<string, string>> = {
  goal: "Goal",
  now: "Now",
  done_this_session: "Done",
  next: "Next",
  decisions: "Decisions",
  questions: "Questions",
  files: "Files",
};

/** The top keys of a page of YAML, each with what stands below it as it is, as a text with a heading. */
export function partsOfYaml(text: string): readonly string[] {
  const parts: string[][] = [];
  for (const line of text.split("\n")) {
    const pair = /^([A-Za-z][\w-]{0,59}):(?:\s+(.*))?$/.exec(line);
    if (pair === null) {
      if (line.trim() === "") continue;
      const open = parts.at(-1);
      if (open === undefined) parts.push([line]);
      else open.push(line);
      continue;
    }
    const [, key = "", value = ""] = pair;
    const heading = headings[key] ?? key.replaceAll("_", " ");
    parts.push([`## ${heading}`, ...(value.trim() === "" ? [] : [value])]);
  }
  // What was left empty says nothing.
  return parts
    .filter(
      (lines) =>
        lines.slice(1).some((line) => !/^\s*(?:\[\]|#.*)$/.test(line)) || lines.length === 1,
    )
    .filter((lines) => !(lines.length === 1 && lines[0]!.startsWith("## ")))
    .map((lines) => lines.join("\n"));
}
