/** What stands around every text this project puts in front of a model. */
const tag = "reprise-context";

// A person who writes about the tag in the middle of a sentence is left alone. Some agents escape what a
// hook hands them; a text cut off before its end is ours to the end.
const wrapped =
  /(^|\n)[ \t]*(<|&lt;)reprise-context v=(?:"|&quot;)1(?:"|&quot;)[\s\S]*?(?:(?:<|&lt;)\/reprise-context(?:>|&gt;)[ \t]*\n?|$)/g;

/** Marks a text as put in by us: readers of the transcript tell it from what a person typed. */
export function injectedText(text: string): string {
  return `<${tag} v="1">\n${withoutTags(text).trim()}\n</${tag}>`;
}

/** A text that neither ends the marker around it nor begins another. */
export function withoutTags(text: string): string {
  return text.replaceAll(new RegExp(`(<|&lt;)(/?)${tag}`, "gi"), "($2reprise context");
}

/** Whether a tool is one of our MCP server's, as agents name them. */
export function isOwnTool(name: string): boolean {
  return /(?:^|_)reprise(?:_{1,2}|-)[a-z_]+$/.test(name);
}

/** Whether this project may have put something into a text. */
export function holdsInjected(text: string): boolean {
  return text.includes(tag);
}

/** Begins with a rare letter, and so is found missing three times sooner than the tag is. */
const tagEnd = "xt v=";

/** A text without what this project put into it; the rest is as it was, but for blank edges. */
export function withoutInjected(text: string): string {
  if (!text.includes(tagEnd) || !holdsInjected(text)) return text;
  return text.replace(wrapped, "$1").trim();
}

/** A text with blank lines in place of what this project put into it: every other line keeps its number. */
export function blankInjected(text: string): string {
  if (!holdsInjected(text)) return text;
  return text.replace(wrapped, (ours) => ours.replace(/[^\n]/g, ""));
}
