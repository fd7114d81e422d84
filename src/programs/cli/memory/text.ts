import type { MemoryEntry } from "../../../memory/entry.ts";
import { statedMark } from "../../../memory/injectable.ts";
import { isStale } from "../../../memory/stale.ts";
import { safeLine } from "../terminal/terminal-text.ts";

/** A value on one line. */
export function valueText(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value, jsonValue);
  return safeLine(text ?? "");
}

/** One entry on one line: key, value, and what a reader should know of it, such as that it is of another place. */
export function entryLine(entry: MemoryEntry, place?: string): string {
  const marks = [
    entry.status === "kept" ? "" : entry.status,
    entry.provenance === "user" ? "" : `from ${entry.provenance}`,
    isStale(entry) ? "stale: its evidence changed" : "",
    entry.namespace === "user" ? "user" : safeLine(place ?? ""),
  ].filter((mark) => mark !== "");
  const value = valueText(entry.value);
  const short = value.length > 160 ? `${value.slice(0, 159)}…` : value;
  const note = marks.length === 0 ? "" : `  [${marks.join(", ")}]`;
  const name = entry.metadata["keyOf"] === "value" ? entry.type : entry.key;
  return `${safeLine(name)}: ${short}${note}\n`;
}

/** What we note in the metadata for ourselves; nobody can do anything with it. */
const ownFields: ReadonlySet<string> = new Set(["keyOf", "print", statedMark]);

function metadataText({ metadata }: MemoryEntry): string {
  const fields = Object.entries(metadata).filter(([name]) => !ownFields.has(name));
  return fields.length === 0 ? "" : JSON.stringify(Object.fromEntries(fields));
}

/** Everything known of an entry, and the file that its namespace lies in. */
export function entryText(entry: MemoryEntry, file: string): string {
  const lines = [
    ["id", entry.id],
    ["type", entry.type],
    ["namespace", entry.namespace],
    ["owner", `${entry.owner} (${entry.access})`],
    ["from", entry.provenance],
    [
      "status",
      entry.approvedBy ? `${entry.status}, approved by ${entry.approvedBy}` : entry.status,
    ],
    ["tags", entry.tags.join(", ")],
    ["metadata", metadataText(entry)],
    ["version", `${entry.version}, ${entry.updatedAt}`],
    ["created", entry.createdAt],
    ["looked at", entry.accessedAt ?? ""],
    ["expires", entry.expiresAt ?? ""],
    ["size", `${entry.sizeBytes} bytes${entry.compressed ? ", compressed" : ""}`],
    ["SHA-256", entry.checksum],
    ["about", entry.references.join(", ")],
    ["depends on", entry.dependencies.join(", ")],
    ["replaces", entry.supersedes ?? ""],
    ["evidence", entry.evidence.map((one) => JSON.stringify(one)).join(" ")],
    ["file", file],
    ["note", isStale(entry) ? "its evidence changed: check it before you rely on it" : ""],
  ].filter(([, value]) => value !== "");
  const facts = lines.map(([name, value]) => `  ${name!.padEnd(10)} ${safeLine(value!)}\n`);
  return `${safeLine(entry.key)}: ${valueText(entry.value)}\n${facts.join("")}`;
}

function jsonValue(_key: string, value: unknown): unknown {
  if (value instanceof Map) return Object.fromEntries(value);
  if (value instanceof Set) return [...value];
  return value;
}
