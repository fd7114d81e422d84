import type { MemoryConflict } from "../../../../memory/conflicts.ts";
import type { Evidence, MemoryEntry, Provenance } from "../../../../memory/entry.ts";
import { statedMark } from "../../../../memory/injectable.ts";
import { withHiddenShown } from "../../../../memory/plain-text.ts";
import { isStale } from "../../../../memory/stale.ts";
import { textOf } from "../../../../memory/value.ts";
import { relativeTime } from "../../render/time.ts";
import type { Colours } from "../../terminal/colours.ts";
import { safeText } from "../../terminal/terminal-text.ts";
import { truncated, wrapped } from "../../terminal/width.ts";
import type { Quotation } from "./quote.ts";

/** What is known about a proposal besides itself; absent while it is being looked for. */
export interface Known {
  /** By the reference of each event that proves it; undefined if the event says nothing any more. */
  readonly quotations: ReadonlyMap<string, Quotation | undefined>;
  readonly conflicts?: readonly MemoryConflict[];
  /** The entry in use whose key it takes. */
  readonly taken?: MemoryEntry;
}

/** On how much room a preview is shown, and when. */
export interface PreviewOptions {
  readonly columns: number;
  readonly colours: Colours;
  readonly nowMs: number;
}

const saidBy: Readonly<Record<Provenance, string>> = {
  user: "said by you",
  assistant: "said by an assistant",
  tool: "read in a tool's output; it stays a quotation",
  imported: "imported; it stays a quotation",
};

const longestValue = 4_000;

/** A proposal as lines of a given width: what it says, who said it, what proves it, what it contradicts. */
export function proposalLines(
  entry: MemoryEntry,
  known: Known,
  options: PreviewOptions,
): readonly string[] {
  const { columns, colours, nowMs } = options;
  const { key, type, provenance, owner, tags, evidence, metadata } = entry;
  const value = shownValue(entry);
  const text = (said: string): readonly string[] => wrapped(safe(said), Math.max(1, columns));
  const facts = [
    saidBy[provenance],
    type,
    relativeTime(Date.parse(entry.createdAt), nowMs),
    ...(entry.namespace === "user" ? ["for every project"] : []),
    ...(owner === "user" ? [] : [`proposed by ${owner}`]),
    ...tags.filter((tag) => tag !== "proposal").map((tag) => `#${tag}`),
  ];
  const warnings = [
    ...(metadata[statedMark] === true && provenance === "user"
      ? ["You asked for it: agents are given it already."]
      : []),
    ...(isHiding(key) || isHiding(textOf(entry.value))
      ? ["It has letters that nobody sees; they are written out here."]
      : []),
    ...(isStale(entry) ? ["What it rests on has changed since."] : []),
  ];
  const isKeyOfValue = metadata["keyOf"] === "value";
  return [
    ...(isKeyOfValue ? [] : text(key).map((line) => colours.bold(line))),
    ...text(value).map((line) => (isKeyOfValue ? colours.bold(line) : line)),
    "",
    ...text(facts.join(" · ")).map((line) => colours.dim(line)),
    ...warnings.flatMap(text).map((line) => colours.yellow(line)),
    ...conflictLines(entry, known, options),
    ...evidence.flatMap((one) => evidenceLines(one, known, options)),
    ...(evidence.length === 0 ? ["", colours.dim(truncated("Nothing proves it.", columns))] : []),
  ];
}

/** The key before a value, unless it was made of it. */
function nameOf({ key, metadata }: MemoryEntry): string {
  return metadata["keyOf"] === "value" ? "" : `${key}: `;
}

/** A value as a person reads it. */
function shownValue({ value }: MemoryEntry): string {
  const text = typeof value === "string" ? value : textOf(value);
  return text.length <= longestValue ? text : `${text.slice(0, longestValue - 1)}…`;
}

function conflictLines(
  entry: MemoryEntry,
  { conflicts, taken }: Known,
  { columns, colours }: PreviewOptions,
): readonly string[] {
  const others = (conflicts ?? []).map(({ newer, older, why }) => {
    const other = newer.id === entry.id ? older : newer;
    const how = why === "contradiction" ? "It contradicts" : "It says something else than";
    return { other, says: `${how} what is known, s replaces it:` };
  });
  const replaced =
    taken === undefined || others.some(({ other }) => other.id === taken.id)
      ? []
      : [{ other: taken, says: "Approving it replaces:" }];
  return [...others, ...replaced].flatMap(({ other, says }) => [
    "",
    ...wrapped(says, columns).map((line) => colours.yellow(line)),
    ...indented(`${nameOf(other)}${shownValue(other).slice(0, 300)}`, columns),
    ...indented(`${saidBy[other.provenance]}, ${other.updatedAt.slice(0, 10)}`, columns).map(
      (line) => colours.dim(line),
    ),
  ]);
}

function evidenceLines(
  evidence: Evidence,
  { quotations }: Known,
  { columns, colours }: PreviewOptions,
): readonly string[] {
  const named = (says: string): readonly string[] => [
    "",
    ...wrapped(safe(says), columns).map((line) => colours.cyan(line)),
  ];
  if (evidence.kind === "file") return named(`Proof: the file ${evidence.path}`);
  if (evidence.kind === "commit") return named(`Proof: the commit ${evidence.commit}`);
  const { ref } = evidence;
  if (!quotations.has(ref)) return [...named(`Proof: ${ref}`), ...indented("reading…", columns)];
  const quotation = quotations.get(ref);
  if (quotation === undefined)
    return [...named(`Proof: ${ref}`), ...indented("The event cannot be read.", columns)];
  return [
    ...named(`Proof: ${ref}, ${quotation.role}:`),
    ...indented(`“${quotation.text}”`, columns),
  ];
}

function indented(text: string, columns: number): readonly string[] {
  return wrapped(safe(text), Math.max(1, columns - 2)).map((line) =>
    truncated(`  ${line}`, columns),
  );
}

function safe(text: string): string {
  return safeText(withHiddenShown(text));
}

function isHiding(text: string): boolean {
  return withHiddenShown(text) !== text.toWellFormed();
}
