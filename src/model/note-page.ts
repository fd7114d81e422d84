/** A part of a page of Markdown: what lies between `---` lines at its top, or a heading with what stands below it. */
export interface PagePart {
  readonly kind: "front" | "text";
  /** The first line of a text with a heading, without its marks. */
  readonly heading?: string;
  /** The part as it is, blank ends cut off. */
  readonly text: string;
}

const heading = /^#{1,3}\s+(.{1,200})$/;
const rule = /^---\s*$/;

/** The parts of a page in their order; blank ones are left out. NULs, which no page has, are passed over. */
export function partsOfPage(page: string): readonly PagePart[] {
  const lines = page.replaceAll("\0", "").split(/\r?\n/);
  const parts: PagePart[] = [];
  let from = 0;
  const end = rule.test(lines[0] ?? "")
    ? lines.findIndex((line, at) => at > 0 && rule.test(line))
    : -1;
  if (end > 0) {
    parts.push({ kind: "front", text: lines.slice(1, end).join("\n").trim() });
    from = end + 1;
  }
  for (let at = from + 1; at <= lines.length; at += 1) {
    if (at < lines.length && !heading.test(lines[at]!)) continue;
    const text = lines.slice(from, at).join("\n").trim();
    const title = heading.exec(text.split("\n", 1)[0]!)?.[1]?.trim();
    parts.push({ kind: "text", text, ...(title !== undefined && { heading: title }) });
    from = at;
  }
  return parts.filter(({ text }) => text !== "");
}

/** The single values that a front block states: `key: value`, quotes taken off. */
export function frontValues(text: string): Readonly<Record<string, string>> {
  const pairs = [...text.matchAll(/^([A-Za-z][\w-]{0,59}):[ \t]+(\S.*)$/gm)];
  return Object.fromEntries(
    pairs.map(([, key, value]) => [key!, value!.trim().replace(/^(["'])(.*)\1$/, "$2")]),
  );
}
