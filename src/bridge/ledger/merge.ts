import { limits } from "../../base/limits.ts";
import { headingOf, type SectionName, sectionNames } from "../../model/note-sections.ts";
import { type Kept, type KeptLine, nothingKept, type Origin } from "./kept.ts";
import { isNested, keyOf, type LedgerLine, ledgerLines } from "./line.ts";

/** A line we would have in the ledger. */
export interface WantedLine {
  readonly text: string;
  readonly origin: Origin;
}

/** What we would have in the ledger: lines by section, and those on top of it. */
export type Wanted = Readonly<Record<SectionName | "head", readonly WantedLine[]>>;

/** A ledger after a merge, and what is ours in it. */
export interface Merged {
  readonly text: string;
  readonly kept: Kept;
}

interface OutLine extends LedgerLine {
  /** Set where the line is ours. */
  readonly ours?: KeptLine;
}

/**
 * Brings what we want into a ledger that a person may have changed since we last wrote it. A line we did not
 * write stays, where it stands and as it is; a line of ours that is gone, or was changed, does not come back;
 * a section that was taken out stays out. Without a file everything begins anew.
 */
export function mergeLedger(
  file: string | undefined,
  {
    kept,
    wanted,
    nowMs,
    savedMs = nowMs,
  }: {
    readonly kept: Kept;
    readonly wanted: Wanted;
    readonly nowMs: number;
    /** When the file was saved: then a person wrote what is new in it. */
    readonly savedMs?: number;
  },
): Merged {
  const before = file === undefined ? nothingKept : kept;
  const lines = file === undefined || file === "" ? [] : owned(ledgerLines(file), before);
  const end = file?.includes("\r\n") === true ? "\r" : "";
  const gone = goneKeys(lines, before);
  const removed = [...new Set([...before.removed, ...gone])].slice(-limits.ledgerLines);
  const theirs = new Set(lines.filter(isTheirs).map(keyOf));
  const held = new Set([...theirs, ...removed]);
  const times = new Map(before.lines.map((line) => [`${line.place} ${keyOf(line)}`, line.atMs]));
  let out = lines;
  for (const place of ["head", ...sectionNames] as const) {
    const open = wanted[place].filter((line) => !held.has(keyOf({ text: line.text, place })));
    // A goal a person wrote is the goal.
    const settled =
      place === "goal" && lines.some((line) => line.place === place && isTheirs(line));
    const ours = (settled ? [] : open).map(
      (line): KeptLine => ({
        ...line,
        place,
        atMs: times.get(`${place} ${keyOf({ text: line.text, place })}`) ?? nowMs,
      }),
    );
    if (isBarred(place, { out, before })) continue;
    out = withOurs(out, { place, ours, end });
  }
  return { text: written(out), kept: keptAfter(out, { before, removed, savedMs }) };
}

function isTheirs(line: OutLine): boolean {
  return line.kind === "text" && line.ours === undefined;
}

/** Says which lines are still as we wrote them; one that a person goes on below is theirs as well. */
function owned(lines: readonly LedgerLine[], kept: Kept): OutLine[] {
  const open = new Map<string, KeptLine[]>();
  for (const line of kept.lines) {
    const key = `${line.place} ${line.text}`;
    open.set(key, [...(open.get(key) ?? []), line]);
  }
  return lines.map((line, index) => {
    const ours = line.kind === "text" ? open.get(`${line.place} ${line.text}`)?.pop() : undefined;
    const next = lines[index + 1];
    const goesOn = next?.kind === "text" && isNested(next.text) && !isNested(line.text);
    return ours === undefined || goesOn ? { ...line } : { ...line, ours };
  });
}

/** The keys of lines we wrote that are no longer there as ours. */
function goneKeys(lines: readonly OutLine[], kept: Kept): readonly string[] {
  const left = new Set(lines.flatMap(({ ours }) => (ours === undefined ? [] : [ours])));
  return kept.lines.filter((line) => !left.has(line)).map(keyOf);
}

/** Whether a person took this section out. */
function isBarred(
  place: SectionName | "head",
  { out, before }: { readonly out: readonly OutLine[]; readonly before: Kept },
): boolean {
  if (place === "head" || out.some((line) => line.place === place && line.kind === "heading"))
    return false;
  return before.sections.includes(place);
}

/** The lines with ours of one place renewed: updated where they stand, dropped, or added behind the last one. */
function withOurs(
  lines: readonly OutLine[],
  {
    place,
    ours,
    end,
  }: {
    readonly place: SectionName | "head";
    readonly ours: readonly KeptLine[];
    readonly end: LedgerLine["end"];
  },
): OutLine[] {
  const byKey = new Map(ours.map((line) => [keyOf(line), line]));
  const out = lines.flatMap((line): OutLine[] => {
    if (line.place !== place || line.ours === undefined) return [line];
    const renewed = byKey.get(keyOf(line));
    if (renewed === undefined) return [];
    byKey.delete(keyOf(line));
    return [{ ...line, text: renewed.text, ours: renewed }];
  });
  const added = [...byKey.values()].map(
    (line): OutLine => ({ text: line.text, end, place, kind: "text", ours: line }),
  );
  if (added.length === 0) return out;
  const at = out.findLastIndex(({ place: here, kind }) => here === place && kind !== "blank");
  if (at >= 0) {
    const isHeading = out[at]?.kind === "heading";
    const blank: OutLine = { text: "", end, place, kind: "blank" };
    const followed = isHeading && out[at + 1]?.kind === "blank";
    out.splice(at + (followed ? 2 : 1), 0, ...(isHeading && !followed ? [blank] : []), ...added);
    return out;
  }
  return withSection(out, { place, added, end });
}

/** A section that is not there yet goes before the next one of ours, or to the end. */
function withSection(
  lines: readonly OutLine[],
  {
    place,
    added,
    end,
  }: {
    readonly place: SectionName | "head";
    readonly added: readonly OutLine[];
    readonly end: LedgerLine["end"];
  },
): OutLine[] {
  const blank: OutLine = { text: "", end, place, kind: "blank" };
  if (place === "head") return [...added, blank, ...lines];
  const later = new Set<string>(sectionNames.slice(sectionNames.indexOf(place) + 1));
  const at = lines.findIndex(({ kind, place: here }) => kind === "heading" && later.has(here));
  const heading: OutLine = { text: headingOf(place), end, place, kind: "heading" };
  const before = at < 0 ? lines : lines.slice(0, at);
  const gap = before.length === 0 || before.at(-1)?.kind === "blank" ? [] : [blank];
  const section = [...gap, heading, blank, ...added, blank];
  return [...before, ...section, ...(at < 0 ? [] : lines.slice(at))];
}

function written(lines: readonly OutLine[]): string {
  // Our last line ends; how a person's ends is theirs.
  const closed = lines.at(-1)?.ours === undefined ? lines : [...lines, blankEnd];
  const last = closed.length - 1;
  return closed.map(({ text, end }, index) => (index === last ? text : text + end)).join("\n");
}

const blankEnd: OutLine = { text: "", end: "", place: "other", kind: "blank" };

function keptAfter(
  lines: readonly OutLine[],
  {
    before,
    removed,
    savedMs,
  }: { readonly before: Kept; readonly removed: readonly string[]; readonly savedMs: number },
): Kept {
  const theirs = lines.filter(isTheirs).slice(0, limits.ledgerLines).map(keyOf);
  const present = new Set(lines.flatMap(({ kind, place }) => (kind === "heading" ? [place] : [])));
  return {
    schema: 1,
    lines: lines.flatMap(({ ours }) => (ours === undefined ? [] : [ours])),
    sections: sectionNames.filter((name) => present.has(name) || before.sections.includes(name)),
    removed,
    theirs: Object.fromEntries(
      theirs.map((key) => [key, Object.hasOwn(before.theirs, key) ? before.theirs[key]! : savedMs]),
    ),
  };
}
