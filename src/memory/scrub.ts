import { rmSync } from "node:fs";
import { join, sep } from "node:path";
import { atomicWrite } from "../base/atomic-write.ts";
import { entriesOf, smallFile } from "../base/folders.ts";
import { limits } from "../base/limits.ts";

/** A shorter text stands in too many places by chance. */
const shortest = 8;
const deepest = 8;

/**
 * Takes texts out of what this program keeps beside memories. Derived files that hold one are deleted and come back by
 * themselves; in ledgers its lines go; in the bridge's state, whose places count, it is overwritten; a backup of another
 * program's file goes, since one that was changed would be no backup. Sessions are not touched.
 */
export function scrub(root: string, texts: readonly string[]): void {
  const needles = texts
    .map((text) => text.trim())
    .filter((text) => text.length >= shortest)
    .flatMap((text) => [text, JSON.stringify(text).slice(1, -1)]);
  if (needles.length === 0) return;
  const holds = (text: string): boolean => needles.some((needle) => text.includes(needle));
  for (const { path, text } of filesBelow(join(root, "derived")))
    if (holds(text)) removeDerived(path);
  for (const { path, text } of filesBelow(join(root, "ledgers"))) {
    if (!holds(text)) continue;
    const kept = text.split(/(?<=\n)/).filter((line) => !holds(line));
    // A text that goes over several lines: nothing of the file can be kept.
    replace(path, holds(kept.join("")) ? "" : kept.join(""));
  }
  const backups = join(root, "bridge", "backups") + sep;
  for (const { path, text } of filesBelow(join(root, "bridge"))) {
    if (!holds(text)) continue;
    if (path.startsWith(backups)) rmSync(path, { force: true });
    else replace(path, needles.reduce(overwritten, text));
  }
}

/** With every place of a text filled by letters that take as many bytes. */
function overwritten(text: string, needle: string): string {
  return text.replaceAll(needle, "x".repeat(Buffer.byteLength(needle)));
}

function replace(path: string, text: string): void {
  atomicWrite(path, [Buffer.from(text)], { publish: "replace", sync: true });
}

/** A database goes with the files beside it: these would be taken for those of the next one. */
function removeDerived(path: string): void {
  const base = path.replace(/-(?:wal|shm|journal)$/, "");
  const ends = base.endsWith(".db") ? ["", "-wal", "-shm", "-journal"] : [""];
  for (const end of ends) rmSync(base + end, { force: true });
}

function* filesBelow(
  folder: string,
  depth = 0,
): Generator<{ readonly path: string; readonly text: string }> {
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && depth < deepest) yield* filesBelow(path, depth + 1);
    const text = entry.isFile() ? smallFile(path, limits.scrubbedFileBytes) : undefined;
    if (text !== undefined) yield { path, text };
  }
}
