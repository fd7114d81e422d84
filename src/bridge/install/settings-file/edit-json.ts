import { type JsonArrayNode, type JsonNode, type JsonObjectNode, skipBlanks } from "./jsonc.ts";

/** The indentation a text uses for one level; two blanks where it shows none. */
export function indentOf(text: string): string {
  return /\n([ \t]+)["{[]/.exec(text)?.[1] ?? "  ";
}

/** Adds a member at the end of an object; everything else stays as it is, byte for byte. */
export function addMember(
  text: string,
  object: JsonObjectNode,
  member: { readonly key: string; readonly value: unknown },
): string {
  const { key, value } = member;
  return addItem(text, {
    within: object,
    last: object.members.at(-1)?.end,
    item: (indent, unit) => `${JSON.stringify(key)}: ${indented(value, indent, unit)}`,
  });
}

/** Adds an element at the end of an array, likewise. */
export function addElement(text: string, array: JsonArrayNode, value: unknown): string {
  return addItem(text, {
    within: array,
    last: array.elements.at(-1)?.end,
    item: (indent, unit) => indented(value, indent, unit),
  });
}

/** Takes a member or an element out, with its comma and the line it leaves empty; comments around it stay. */
export function removeItem(
  text: string,
  within: JsonObjectNode | JsonArrayNode,
  item: { readonly start: number; readonly end: number },
): string {
  const items: readonly { readonly start: number; readonly end: number }[] =
    within.type === "object" ? within.members : within.elements;
  const index = items.findIndex(({ start }) => start === item.start);
  const before = items[index - 1];
  const own = skipBlanks(text, item.end);
  const hasOwn = text[own] === ",";
  const behind = hasOwn ? text.slice(item.end, own) + text.slice(own + 1) : text.slice(item.end);
  const ahead = text.slice(0, item.start);
  if (items.length === 1) {
    const [opening, closing] = [within.start + 1, behind.length - (text.length - within.end + 1)];
    if ((ahead.slice(opening) + behind.slice(0, closing)).trim() === "")
      return ahead.slice(0, opening) + behind.slice(closing);
  }
  // Without one of its own, the item stood behind the comma of the one before it.
  if (hasOwn || before === undefined) return joined(ahead, behind);
  const comma = skipBlanks(text, before.end);
  return joined(ahead.slice(0, comma) + ahead.slice(comma + 1), behind);
}

/** The texts before and behind what was cut out, without the line or the blanks it leaves. */
function joined(ahead: string, behind: string): string {
  const kept = ahead.replace(/[ \t]+$/, "");
  const rest = behind.replace(/^[ \t]+/, "");
  const endsLine = /^\r?\n/.exec(rest)?.[0];
  if (kept.endsWith("\n")) {
    return endsLine === undefined ? ahead + rest : kept + rest.slice(endsLine.length);
  }
  if (endsLine !== undefined) return kept + rest;
  // Among others on one line, one of the two gaps stays.
  return /^[}\]]/.test(rest) ? kept + behind : ahead + rest;
}

function addItem(
  text: string,
  add: {
    readonly within: JsonNode;
    readonly last: number | undefined;
    readonly item: (indent: string, unit: string) => string;
  },
): string {
  const { within, last, item } = add;
  const unit = indentOf(text);
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  const outer = lineIndent(text, within.start);
  const inner = outer + unit;
  const written = item(inner, unit).replaceAll("\n", newline);
  const closing = within.end - 1;
  if (last === undefined) {
    // An empty object keeps the comments that may stand in it.
    const held = text.slice(within.start + 1, closing).trimEnd();
    return `${text.slice(0, within.start + 1)}${held}${newline}${inner}${written}${newline}${outer}${text.slice(closing)}`;
  }
  const comma = skipBlanks(text, last);
  const hasComma = text[comma] === ",";
  const behind = hasComma ? comma + 1 : last;
  const tail = text.slice(behind, closing);
  const held = tail.trimEnd();
  // On one line the new item takes its place there; the closing bracket keeps its line otherwise.
  const end = tail.includes("\n") ? tail.slice(held.length) : `${newline}${outer}`;
  return `${text.slice(0, last)},${hasComma ? text.slice(last, comma) : ""}${held}${newline}${inner}${written}${hasComma && tail.includes("\n") ? "," : ""}${end}${text.slice(closing)}`;
}

/** Tables and lists over several lines, a group of hooks on one. */
function indented(value: unknown, indent: string, unit: string): string {
  if (typeof value !== "object" || value === null || "hooks" in value) return onOneLine(value);
  const inner = indent + unit;
  const list = Array.isArray(value);
  const items = Object.entries(value).map(([key, item]) => {
    const written = indented(item, inner, unit);
    return inner + (list ? written : `${JSON.stringify(key)}: ${written}`);
  });
  const [open, close] = list ? "[]" : "{}";
  if (items.length === 0) return `${open}${close}`;
  return `${open}\n${items.join(",\n")}\n${indent}${close}`;
}

function onOneLine(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(", ")}]`;
  const members = Object.entries(value).map(
    ([key, item]) => `${JSON.stringify(key)}: ${onOneLine(item)}`,
  );
  return `{ ${members.join(", ")} }`;
}

function lineIndent(text: string, at: number): string {
  const start = text.lastIndexOf("\n", at - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start))![0];
}
