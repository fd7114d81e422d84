const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
};

/** The text of HTML, its blocks as lines; nothing in it is run or fetched. */
export function plainOfHtml(html: string): string {
  return html
    .replace(/<(script|style)\b[^>]{0,1000}>[\s\S]*?<\/\1>/gi, "")
    .replace(/<li\b[^>]{0,1000}>/gi, "- ")
    .replace(/<br\b[^>]{0,100}>|<\/(?:p|div|li|h[1-6]|tr|pre|ul|ol|table)>/gi, "\n")
    .replace(/<\/?[a-z][^>]{0,10000}>/gi, "")
    .replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w{1,8}));/gi, (whole, decimal, hex, name) => {
      if (name !== undefined) return entities[String(name).toLowerCase()] ?? whole;
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "";
    })
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}
