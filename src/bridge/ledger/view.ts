import { fileStat, smallFile } from "../../base/folders.ts";
import { limits } from "../../base/limits.ts";
import { type Kept, type KeptLine, keptIn } from "./kept.ts";
import { isPinned, keyOf, type LedgerLine, ledgerLines } from "./line.ts";
import type { LedgerPlaces } from "./places.ts";

/** A line of a ledger as a model may be given it. */
export interface ViewLine {
  readonly place: LedgerLine["place"];
  readonly text: string;
  /** When it was written, or first seen. */
  readonly atMs: number;
  /** Whether it came from outside the session: typed into the file, noted by a command, another program's. */
  readonly isFromOutside: boolean;
  /** Marked to be kept in sight, or a decision that a person wrote. */
  readonly pinned: boolean;
}

/** The lines of a ledger, headings and blanks left out; undefined if there is none, or one too large. */
export function readView(places: LedgerPlaces): readonly ViewLine[] | undefined {
  const text = smallFile(places.ledger, limits.ledgerBytes);
  if (text === undefined) return undefined;
  const kept = keptIn(smallFile(places.kept, 4 * limits.ledgerBytes));
  return viewOf(text, { kept, modifiedMs: fileStat(places.ledger)?.modifiedMs ?? 0 });
}

/** The lines of a ledger's text. */
export function viewOf(
  text: string,
  { kept, modifiedMs }: { readonly kept: Kept; readonly modifiedMs: number },
): readonly ViewLine[] {
  const ours = new Map<string, KeptLine>();
  for (const line of kept.lines) ours.set(`${line.place} ${line.text}`, line);
  return ledgerLines(text).flatMap((line): readonly ViewLine[] => {
    // Under a heading of their own the heading says what the lines are about.
    const isSaid = line.kind === "text" || (line.kind === "heading" && line.place === "other");
    if (!isSaid || line.place === "head") return [];
    const known = ours.get(`${line.place} ${line.text}`);
    const key = keyOf(line);
    const seenMs = Object.hasOwn(kept.theirs, key) ? kept.theirs[key]! : modifiedMs;
    return [
      {
        place: line.place,
        text: line.text,
        atMs: known?.atMs ?? seenMs,
        isFromOutside: known === undefined || known.origin !== "session",
        pinned: isPinned(line.text) || (known === undefined && line.place === "decisions"),
      },
    ];
  });
}
