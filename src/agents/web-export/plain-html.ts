const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  emsp: " ",
};

const tagName = /<(\/?)([a-z][a-z0-9]*)/iy;
const unseen = new Set(["script", "style"]);
const blocks = new Set(["p", "div", "li", "tr", "pre", "ul", "ol", "table"]);

/** The text of HTML, its blocks as lines; nothing in it is run or fetched. One pass: a hostile page costs no more. */
export function plainOfHtml(html: string): string {
  return decoded(withoutTags(html))
    .replace(/[\u00a0\u202f]/g, " ")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

function withoutTags(html: string): string {
  const pieces: string[] = [];
  // Texts that are not there any more are not looked for again.
  const gone = new Set<string>();
  const after = (end: RegExp, from: number): number => {
    if (gone.has(end.source)) return -1;
    end.lastIndex = from;
    if (end.exec(html) !== null) return end.lastIndex;
    gone.add(end.source);
    return -1;
  };
  let at = 0;
  for (let open = html.indexOf("<"); open >= 0; open = html.indexOf("<", at)) {
    pieces.push(html.slice(at, open));
    tagName.lastIndex = open;
    const [, slash, name = ""] = tagName.exec(html) ?? [];
    const close = name === "" ? -1 : after(/>/g, open);
    if (close < 0) {
      pieces.push("<");
      at = open + 1;
      continue;
    }
    const tag = name.toLowerCase();
    pieces.push(markOf(tag, slash === "/"));
    at = close;
    if (slash === "" && unseen.has(tag)) at = Math.max(at, after(endOf(tag), close));
  }
  pieces.push(html.slice(at));
  return pieces.join("");
}

function endOf(tag: string): RegExp {
  return tag === "script" ? /<\/script\s{0,10}>/gi : /<\/style\s{0,10}>/gi;
}

/** What a tag is in a text. */
function markOf(tag: string, isEnd: boolean): string {
  if (tag === "br") return "\n";
  if (tag === "li" && !isEnd) return "- ";
  return isEnd && (blocks.has(tag) || /^h[1-6]$/.test(tag)) ? "\n" : "";
}

function decoded(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w{1,8}));/gi,
    (whole, decimal, hex, name) => {
      if (name !== undefined) return entities[String(name).toLowerCase()] ?? whole;
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "";
    },
  );
}
