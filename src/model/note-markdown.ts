/** The lines under each heading of a Markdown text, by the heading in lower case; the first of a name counts. */
export function sectionsOf(text: string): ReadonlyMap<string, readonly string[]> {
  const sections = new Map<string, string[]>();
  let current: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    const title = /^#{1,4}\s+(.{1,200})$/.exec(line)?.[1];
    if (title === undefined) current.push(line);
    else {
      current = [];
      const name = title.trim().toLowerCase();
      if (!sections.has(name)) sections.set(name, current);
    }
  }
  return sections;
}

/** The items of a list, without their marks. */
export function itemsIn(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => {
    const item = /^\s*(?:[-*+]|\d{1,3}[.)])\s+(.+)$/.exec(line)?.[1];
    return item === undefined ? [] : [item.replace(/^\[[^\]]{0,2}\]\s*/, "").trim()];
  });
}

/** The lines that say something, as they are. */
export function paragraph(lines: readonly string[]): string {
  return lines
    .map((line) => line.trim())
    .filter((line) => line !== "" && line !== "---")
    .join(" ");
}

/** The items whose box has one of these marks. */
export function boxed(lines: readonly string[], marks: string): readonly string[] {
  return lines.flatMap((line) => {
    const found = /^\s*[-*+]\s+(?:\w+:\s+)?\[(.{1,2})\]\s+(.+)$/.exec(line);
    return found !== null && marks.includes(found[1]![0]!) ? [found[2]!.trim()] : [];
  });
}
