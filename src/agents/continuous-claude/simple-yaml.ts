/**
 * The lists and single values of a page of simple YAML, as programs write for notes: `key: value`, `key: [a, b]`,
 * and `key:` with items below. A key below another is named `outer.inner`. What is more than that is passed over.
 */
export function simpleYaml(text: string): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, string[]>();
  let outer = "";
  let name = "";
  for (const line of text.split(/\r?\n/)) {
    if (/^\s*(?:#|---|$)/.test(line)) continue;
    const item = /^(\s*)-\s+(.*)$/.exec(line);
    if (item !== null) {
      if (name !== "") values.get(name)?.push(...itemOf(item[2]!));
      continue;
    }
    const pair = /^(\s*)([\w-]{1,60}):(?:\s+(.*))?$/.exec(line);
    if (pair === null) {
      // A list may be written on the line below its key.
      if (name !== "") values.get(name)?.push(...listOf(line.trim()));
      continue;
    }
    const [, indent = "", key = "", value = ""] = pair;
    // Deeper keys belong to an item of a list: only the item itself is reported.
    if (indent.length > 2) continue;
    if (indent === "") outer = key;
    name = indent === "" ? key : `${outer}.${key}`;
    values.set(name, [...listOf(value)]);
  }
  return values;
}

/** `task: words` is an item with a name: a plain name is left out, a telling one is kept. */
function itemOf(text: string): readonly string[] {
  const named = /^([\w-]{1,60}):\s+(.+)$/.exec(text);
  if (named === null) return listOf(text);
  const [, key = "", value = ""] = named;
  const said = unquoted(value);
  return key === "task" || key === "item" ? [said] : [`${key.replaceAll("_", " ")}: ${said}`];
}

function listOf(text: string): readonly string[] {
  const trimmed = text.trim();
  if (trimmed === "" || trimmed === "[]" || trimmed.startsWith("#")) return [];
  const inline = /^\[(.*)\]$/.exec(trimmed);
  if (inline === null) return [unquoted(trimmed)];
  return inline[1]!.split(",").map(unquoted).filter(Boolean);
}

function unquoted(text: string): string {
  const trimmed = text.trim();
  return /^(["']).*\1$/.test(trimmed) ? trimmed.slice(1, -1) : trimmed;
}
