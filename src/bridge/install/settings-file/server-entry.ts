import { RepriseError } from "../../../base/errors.ts";
import type { JsonObject } from "../../../base/json.ts";
import { addMember, removeItem } from "./edit-json.ts";
import { type JsonNode, type JsonObjectNode, memberOf, parseJsonc } from "./jsonc.ts";

/** A member of an object that is itself a member of the settings: `mcpServers.reprise`. */
export interface EntryPlace {
  readonly holder: string;
  readonly name: string;
}

/** The settings with an entry; everything else stays as it is, byte for byte. */
export function withEntry(text: string, place: EntryPlace, value: JsonObject): string {
  const { holder, name } = place;
  const cleared = text.trim() === "" ? "{}\n" : withoutEntry(text, place);
  const root = objectIn(parseJsonc(cleared), "The settings");
  const found = memberOf(root, holder)?.value;
  if (found === undefined)
    return addMember(cleared, root, { key: holder, value: { [name]: value } });
  return addMember(cleared, objectIn(found, `\`${holder}\``), { key: name, value });
}

/** The settings without an entry; an object that held nothing else goes with it. */
export function withoutEntry(text: string, { holder, name }: EntryPlace): string {
  if (text.trim() === "") return text;
  const root = parseJsonc(text);
  const outer = memberOf(root, holder);
  const entry = memberOf(outer?.value, name);
  if (root.type !== "object" || outer?.value.type !== "object" || entry === undefined) return text;
  const beside =
    text.slice(outer.value.start + 1, entry.start) + text.slice(entry.end, outer.end - 1);
  return /^[\s,]*$/.test(beside)
    ? removeItem(text, root, outer)
    : removeItem(text, outer.value, entry);
}

/** The words that an entry starts: `command` as a text or a list, then `args`; undefined if there is no such entry. */
export function argvOfEntry(
  text: string,
  { holder, name }: EntryPlace,
): readonly string[] | undefined {
  if (text.trim() === "") return undefined;
  const entry = memberOf(memberOf(parseJsonc(text), holder)?.value, name)?.value;
  if (entry === undefined) return undefined;
  return [
    ...textsIn(memberOf(entry, "command")?.value),
    ...textsIn(memberOf(entry, "args")?.value),
  ];
}

function textsIn(node: JsonNode | undefined): readonly string[] {
  if (node?.type === "array") return node.elements.flatMap(textsIn);
  return node?.type === "scalar" && typeof node.value === "string" ? [node.value] : [];
}

function objectIn(node: JsonNode, what: string): JsonObjectNode {
  if (node.type === "object") return node;
  throw new RepriseError(
    "bad_input",
    `${what} have a form that is not known; nothing was changed.`,
  );
}
