import { asArray, asNumber, asString, isObject, parseObject } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";
import { type SectionName, sectionNames } from "../../model/note-sections.ts";
import type { LedgerLine } from "./line.ts";

/** Who a line comes from: what the session itself shows, what was noted from outside, or another program's file. */
export type Origin = "session" | "note" | "foreign";

/** A line we wrote, and when it was written first. */
export interface KeptLine {
  readonly place: LedgerLine["place"];
  readonly text: string;
  readonly origin: Origin;
  readonly atMs: number;
}

/** What we last wrote into a ledger: with it a person's changes are reported from our own lines. */
export interface Kept {
  readonly schema: 1;
  readonly lines: readonly KeptLine[];
  /** Sections that were there; one that is missing now was taken out by a person. */
  readonly sections: readonly SectionName[];
  /** What a person took out or wrote anew, by key: it never comes back. */
  readonly removed: readonly string[];
  /** Lines of a person by key, and when they were seen first. */
  readonly theirs: Readonly<Record<string, number>>;
}

/** Before anything was written. */
export const nothingKept: Kept = { schema: 1, lines: [], sections: [], removed: [], theirs: {} };

/** Reads what was kept; anything that is not ours reads as nothing, so that all lines are a person's. */
export function keptIn(text: string | undefined): Kept {
  const record = text === undefined ? undefined : parseObject(text);
  if (record?.["schema"] !== 1) return nothingKept;
  return {
    schema: 1,
    lines: asArray(record["lines"]).slice(0, limits.ledgerLines).flatMap(lineIn),
    sections: sectionNames.filter((name) => asArray(record["sections"]).includes(name)),
    removed: asArray(record["removed"])
      .filter((key) => typeof key === "string")
      .slice(-limits.ledgerLines),
    theirs: timesIn(record["theirs"]),
  };
}

function timesIn(value: unknown): Readonly<Record<string, number>> {
  if (!isObject(value)) return {};
  const entries = Object.entries(value).slice(0, limits.ledgerLines);
  return Object.fromEntries(
    entries.flatMap(([key, at]) => (typeof at === "number" ? [[key, at]] : [])),
  );
}

function lineIn(value: unknown): readonly KeptLine[] {
  if (!isObject(value)) return [];
  const place = asString(value["place"]) as LedgerLine["place"] | undefined;
  const text = asString(value["text"]);
  const known = place === "head" || sectionNames.some((name) => name === place);
  if (!known || place === undefined || text === undefined) return [];
  const given = value["origin"];
  const origin: Origin = given === "note" || given === "foreign" ? given : "session";
  return [{ place, text, origin, atMs: asNumber(value["atMs"]) ?? 0 }];
}
