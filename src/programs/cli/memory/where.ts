import { isoOf } from "../../../base/clock.ts";
import { RepriseError } from "../../../base/errors.ts";
import { isObject } from "../../../base/json.ts";
import { parseTime } from "../../../base/parse-time.ts";
import { accessLevels, memoryTypes, provenances, statuses } from "../../../memory/entry.ts";
import type { MemoryQuery, NumberRange, TimeRange } from "../../../memory/query.ts";
import { parseSize } from "../render/size.ts";
import { oneOf } from "./one-of.ts";

/** A field that memories are filtered by: what it takes, what it asks, and the part of a query that says so. */
interface FilterField {
  readonly takes: string;
  readonly says: string;
  query(value: string, nowMs: number): MemoryQuery;
}

const yesNo = "yes or no";
const links = ["reference", "dependency", "evidence"] as const;

/** Every field of `--where`, by name. */
export const filterFields: Readonly<Record<string, FilterField>> = {
  id: { takes: "a text", says: "the beginning of the id", query: (idPrefix) => ({ idPrefix }) },
  key: { takes: "a text", says: "the whole key", query: (key) => ({ key }) },
  prefix: {
    takes: "a text",
    says: "the beginning of the key",
    query: (keyPrefix) => ({ keyPrefix }),
  },
  pattern: {
    takes: "a regular expression",
    says: "what the key matches",
    query: (keyPattern) => ({ keyPattern }),
  },
  text: { takes: "words", says: "all in key, value or tags", query: (text) => ({ text }) },
  similar: {
    takes: "words",
    says: "some of them, the best match first",
    query: (similarTo) => ({ similarTo }),
  },
  tag: { takes: "a tag", says: "has it; repeated: has all", query: (tag) => ({ tagsAll: [tag] }) },
  "any-tag": {
    takes: "a tag",
    says: "repeated: has one of them",
    query: (tag) => ({ tagsAny: [tag] }),
  },
  "no-tag": { takes: "a tag", says: "has none of them", query: (tag) => ({ tagsNone: [tag] }) },
  type: wordField("types", memoryTypes),
  access: wordField("access", accessLevels),
  status: wordField("statuses", statuses),
  from: wordField("provenance", provenances),
  owner: { takes: "a name", says: "whose it is", query: (owner) => ({ owners: [owner] }) },
  namespace: {
    takes: "a name",
    says: "of this namespace; of others than the open one what is public",
    query: (name) => ({ namespaces: [name] }),
  },
  created: timeField("created"),
  updated: timeField("updated"),
  accessed: timeField("accessed"),
  expires: timeField("expires"),
  size: {
    takes: "a range of sizes",
    says: "of the value: 1kb..10kb",
    query: (value) => ({ sizeBytes: numbers("size", value, parseSize) }),
  },
  version: {
    takes: "a range of numbers",
    says: "2.. has been changed",
    query: (value) => ({ version: numbers("version", value, wholeNumber) }),
  },
  expired: {
    takes: `${yesNo}, or any`,
    says: "is past its time",
    query: (value) => ({ expired: value === "any" ? "any" : isYes("expired", value) }),
  },
  unread: switchField("neverAccessed", "nobody has looked at it"),
  compressed: switchField("compressed", "its value is stored compressed"),
  stale: switchField("stale", "what it rests on has changed"),
  superseded: switchField("superseded", "a newer one replaces it"),
  has: { takes: links.join(", "), says: "has at least one", query: (value) => linked(value, true) },
  lacks: { takes: links.join(", "), says: "has none", query: (value) => linked(value, false) },
  reference: { takes: "a key or id", says: "speaks of it", query: (reference) => ({ reference }) },
  dependency: {
    takes: "a key or id",
    says: "depends on it",
    query: (dependency) => ({ dependency }),
  },
  evidence: {
    takes: "a session, path or commit",
    says: "rests on it; the beginning will do",
    query: (evidence) => ({ evidence }),
  },
  supersedes: {
    takes: "a key or id",
    says: "replaces it",
    query: (one) => ({ supersedes: [one] }),
  },
};

/** The query that fields like `size=1kb..` ask for together; lists of the same field are joined. */
export function whereQuery(given: readonly string[], nowMs: number): MemoryQuery {
  return given.map((one) => partOf(one, nowMs)).reduce(joined, {});
}

function partOf(text: string, nowMs: number): MemoryQuery {
  const at = text.indexOf("=");
  const [name, value] = [text.slice(0, at), text.slice(at + 1)];
  if (at > 5 && name.startsWith("meta."))
    return { metadata: { [name.slice(5)]: plainValue(value) } };
  const field = at > 0 && Object.hasOwn(filterFields, name) ? filterFields[name] : undefined;
  if (field !== undefined) return field.query(value, nowMs);
  const names = [...Object.keys(filterFields), "meta.<name>"].join(", ");
  throw new RepriseError("usage", `--where cannot be ${JSON.stringify(text)}.`, {
    hint: `Write <field>=<value>. Fields: ${names}.`,
  });
}

function joined(one: MemoryQuery, two: MemoryQuery): MemoryQuery {
  const before = new Map<string, unknown>(Object.entries(one));
  const both = Object.entries(two).map(([name, value]: readonly [string, unknown]) => {
    const old = before.get(name);
    if (Array.isArray(old) && Array.isArray(value)) return [name, [...old, ...value]];
    if (name === "metadata" && isObject(old) && isObject(value))
      return [name, { ...old, ...value }];
    return [name, value];
  });
  return { ...one, ...(Object.fromEntries(both) as MemoryQuery) };
}

function wordField(
  field: "types" | "access" | "statuses" | "provenance",
  words: readonly string[],
): FilterField {
  return {
    takes: words.join(", "),
    says: "repeated: one of them",
    query: (value) => ({ [field]: [oneOf("where", value, words)] }),
  };
}

function timeField(field: "created" | "updated" | "accessed" | "expires"): FilterField {
  return {
    takes: "a range of times",
    says: "2026-11-01..2026-11-10, 7d.., ..yesterday",
    query: (value, nowMs) => ({ [field]: times(value, nowMs) }),
  };
}

function switchField(
  field: "neverAccessed" | "compressed" | "stale" | "superseded",
  says: string,
): FilterField {
  return { takes: yesNo, says, query: (value) => ({ [field]: isYes(field, value) }) };
}

function linked(value: string, has: boolean): MemoryQuery {
  const kind = oneOf("where", value, links);
  const field = { reference: "hasReference", dependency: "hasDependency", evidence: "hasEvidence" };
  return { [field[kind]]: has };
}

/** Both ends of `from..to`; one alone is the first. */
function ends(value: string): readonly [from: string, to: string] {
  const [from = "", to = ""] = value.split("..");
  return [from, to];
}

function times(value: string, nowMs: number): TimeRange {
  const [from, to] = ends(value).map((end) => end && isoOf(parseTime(end, nowMs)));
  return { ...(from && { from }), ...(to && { to }) };
}

function numbers(field: string, value: string, read: (text: string) => number): NumberRange {
  const [from, to] = value.includes("..") ? ends(value) : [value, value];
  if (from === "" && to === "")
    throw new RepriseError("usage", `--where ${field} needs a number or a range like 1..5.`);
  return { ...(from !== "" && { from: read(from) }), ...(to !== "" && { to: read(to) }) };
}

function wholeNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new RepriseError("usage", `${JSON.stringify(text)} is not a whole number.`);
}

function isYes(field: string, value: string): boolean {
  return oneOf(`where ${field}`, value, ["yes", "no"]) === "yes";
}

/** A number, yes or no as JSON has them; any other text as it is. */
function plainValue(text: string): unknown {
  return /^(?:-?\d+(?:\.\d+)?|true|false|null)$/.test(text) ? JSON.parse(text) : text;
}
