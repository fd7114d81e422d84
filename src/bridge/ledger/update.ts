import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isRepriseError } from "../../base/errors.ts";
import { fileStat, smallFile, statOf } from "../../base/folders.ts";
import { limits } from "../../base/limits.ts";
import { makeFolder } from "../../base/make-folder.ts";
import { readRegular } from "../../base/open-file.ts";
import { oneLine } from "../../model/text.ts";
import { withLock } from "../state/snapshot.ts";
import type { Facts } from "./facts.ts";
import { type Kept, keptIn } from "./kept.ts";
import { type Merged, mergeLedger } from "./merge.ts";
import { newestLedger } from "./newest.ts";
import { notesIn } from "./note.ts";
import { pageMark, withMark } from "./page-mark.ts";
import { type LedgerPlaces, realOf } from "./places.ts";
import { type Sources, wantedLines } from "./wanted.ts";

/** Whose ledger it is. */
export interface LedgerOwner {
  readonly agent: string;
  readonly session: string;
}

/** How it went: `busy` where another process, or an editor, writes in this moment; `left` where the page is none we may touch. */
export type LedgerUpdate = "done" | "busy" | "left";

/**
 * Takes what was learnt into a session's ledger. Order: the page first, then what is ours in it. A crash in between leaves lines of
 * ours that look like a person's and stay, never a person's line that looks like ours.
 */
export function updateLedger(
  places: LedgerPlaces,
  {
    owner,
    facts,
    foreign,
    nowMs,
  }: {
    readonly owner: LedgerOwner;
    readonly facts: Facts;
    readonly foreign?: Sources["foreign"];
    readonly nowMs: number;
  },
): LedgerUpdate {
  makeFolder(places.folder);
  let how: LedgerUpdate = "busy";
  withLock(join(places.folder, "lock"), () => {
    const file = readPage(places.ledger);
    if (file === "untouchable") {
      how = "left";
      return;
    }
    const before = smallFile(places.kept, 4 * limits.ledgerBytes);
    const kept = keptIn(before);
    const notes = notesIn(smallFile(places.notes, 4 * limits.ledgerBytes));
    const about = ["# Ledger", oneLine(`Session: ${owner.agent}:${owner.session}`, 160)];
    const sources: Sources = {
      kept,
      facts,
      notes,
      about,
      ...(foreign !== undefined && { foreign }),
    };
    const savedMs = fileStat(places.ledger)?.modifiedMs ?? nowMs;
    const merged = mergeLedger(file, { kept, wanted: wantedLines(sources), nowMs, savedMs });
    const done = writeBoth(places, {
      before: { text: file, kept: before },
      after: merged,
    });
    if (!done) return;
    how = "done";
    if (isNewFromOutside(kept, merged.kept)) replace(places.outside, "", () => true);
    const isBegun = Object.keys(facts).length > 0;
    if (isBegun && isWorthTelling(merged.kept)) tellNewest(places, owner, nowMs);
  });
  return how;
}

/** The page as it is; what is not a file, or too large, is not ours to rewrite. */
function readPage(path: string): string | undefined | "untouchable" {
  const stat = statOf(path);
  if (stat !== undefined && (!stat.isFile() || stat.size > limits.ledgerBytes))
    return "untouchable";
  try {
    return readRegular(path).toString("utf8");
  } catch (error) {
    return isRepriseError(error, "not_found") ? undefined : "untouchable";
  }
}

function writeBoth(
  places: LedgerPlaces,
  {
    before,
    after,
  }: {
    readonly before: { readonly text: string | undefined; readonly kept: string | undefined };
    readonly after: Merged;
  },
): boolean {
  // Anyone who saved the page while we merged is not overwritten: the next event merges again.
  const isSame = (): boolean => readPage(places.ledger) === before.text;
  if (after.text !== before.text && !replace(places.ledger, after.text, isSame)) return false;
  const kept = withMark(after.kept, pageMark(places.ledger));
  return kept === before.kept || replace(places.kept, kept, () => true);
}

/** Whether a person, a command or another program put something in since the last time. */
function isNewFromOutside(before: Kept, after: Kept): boolean {
  const known = new Set(before.lines.map(({ text }) => text));
  return (
    after.lines.some(({ text, origin }) => origin !== "session" && !known.has(text)) ||
    Object.keys(after.theirs).some((key) => !Object.hasOwn(before.theirs, key))
  );
}

/** Gives a page its new content whole, if it may still be replaced; one that lies elsewhere stays linked. */
function replace(path: string, text: string, isAllowed: () => boolean): boolean {
  const place = realOf(path);
  const temporary = `${place}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, text, { mode: 0o600 });
    if (isAllowed()) {
      renameSync(temporary, place);
      return true;
    }
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  rmSync(temporary, { force: true });
  return false;
}

/** A question that was asked in passing is nothing the next session must hear of: work is, and what people noted. */
function isWorthTelling({ lines, theirs }: Kept): boolean {
  const isWork = (place: string): boolean => ["done", "now", "next", "files"].includes(place);
  return (
    lines.some(({ place, origin }) => isWork(place) || origin !== "session") ||
    Object.keys(theirs).length > 0 ||
    lines.filter(({ place }) => place === "decisions").length >= 3
  );
}

function tellNewest(places: LedgerPlaces, owner: LedgerOwner, nowMs: number): void {
  const { agent, session } = owner;
  const known = newestLedger(places.project);
  const isKnown = known?.agent === agent && known.session === session;
  if (isKnown && nowMs - known.atMs < limits.newestEveryMs) return;
  const newest = { path: places.project.path, agent, session, atMs: nowMs };
  replace(places.project.newest, `${JSON.stringify(newest)}\n`, () => true);
}
