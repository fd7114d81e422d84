import { closeSync, openSync } from "node:fs";
import { basename, join } from "node:path";
import { RepriseError } from "../../base/errors.ts";
import { fileStat, folderExists, namesIn } from "../../base/folders.ts";
import { limits } from "../../base/limits.ts";
import { openForReading, readOpen } from "../../base/open-file.ts";
import { readFully } from "../../base/read-fully.ts";
import type { Damage } from "../../model/damage.ts";
import { checkEntry, unpackEntry } from "./locate/unpack-entry.ts";
import { entriesByHeaders, entriesOfZip, isZip, type ZipEntry } from "./locate/zip-directory.ts";

const wanted = /(?:^|[\\/])conversations(?:-\d{1,6})?\.json$/;
const activity = /(?:^|[\\/])(?:[^\\/]*(?:Gemini|Bard)[^\\/]*)[\\/][^\\/]{1,100}\.(?:json|html)$/i;
const mostDocuments = 256;

/** Whether a file of an export may hold conversations, by its name. */
function isWanted(name: string): boolean {
  return wanted.test(name) || activity.test(name);
}

/** The files of conversations in a folder that somebody unpacked; as deep as Takeout lays them. */
export function documentsInFolder(folder: string, depth = 0): readonly string[] {
  const found: string[] = [];
  for (const name of namesIn(folder).slice(0, 1000)) {
    const path = join(folder, name);
    if (isWanted(join(basename(folder), name)) && fileStat(path) !== undefined) found.push(path);
    else if (depth < 3 && /takeout|activit|gemini|bard/i.test(name) && folderExists(path))
      found.push(...documentsInFolder(path, depth + 1));
  }
  return found.slice(0, mostDocuments);
}

const telling = /"(?:mapping|chat_messages|current_node|safeHtmlItem|products)"\s*:/;
/** The style of Takeout's pages, which stands before what they say. */
const tellingPage = /\.mdl-|class="(?:outer|header|content)-cell\b/;
const lines = /^\s*\{[^\n]*\}\s*\n\s*\{/;

/** Whether a file may be an export, by its name and its first bytes: others are not looked through. */
export function mayBeExport(path: string): boolean {
  if (fileStat(path) === undefined) return false;
  return readOpen(
    path,
    (fd) => {
      if (isWanted(path) || isArchive(fd, path)) return true;
      const text = readFully(fd, { from: 0, length: limits.chunkBytes }).toString("utf8");
      if (/^\W?\s*</.test(text)) return tellingPage.test(text);
      return telling.test(text) && !lines.test(text);
    },
    false,
  );
}

/**
 * Unpacks the files of conversations in an archive into a folder of ours, under names of ours; undefined if the file is no
 * archive. Nothing else of it is unpacked.
 */
export function unpackedDocuments(
  path: string,
  into: string,
  onDamage: (damage: Damage) => void,
): readonly string[] | undefined {
  const fd = openForReading(path);
  try {
    if (!isArchive(fd, path)) return undefined;
    const entries = entriesIn(fd, onDamage).filter(({ name }) => isWanted(name));
    if (entries.length > mostDocuments)
      throw new RepriseError("too_large", "The zip file holds too many files of conversations.");
    let leftBytes = limits.decodedBytes;
    return entries.map((entry, index) => {
      const name = `${index}${/\.html$/i.test(entry.name) ? ".html" : ".json"}`;
      leftBytes -= unpackInto(fd, entry, {
        file: join(into, name),
        mostBytes: leftBytes,
        onDamage,
      });
      return name;
    });
  } finally {
    closeSync(fd);
  }
}

/** One whose first bytes are damaged still has its name. */
function isArchive(fd: number, path: string): boolean {
  return isZip(fd) || /\.zip$/i.test(path);
}

/** The files in an archive; one that was cut has no directory, and its files are found by their own headers. */
function entriesIn(fd: number, onDamage: (damage: Damage) => void): readonly ZipEntry[] {
  const entries = entriesOfZip(fd);
  if (entries.length > 0) return entries;
  onDamage({
    kind: "bad_header",
    offset: 0,
    recovered: 0,
    detail: "the zip file has no directory",
  });
  return entriesByHeaders(fd);
}

function unpackInto(
  fd: number,
  entry: ZipEntry,
  options: { readonly file: string; readonly mostBytes: number; onDamage(damage: Damage): void },
): number {
  checkEntry(entry);
  const into = openSync(options.file, "wx", 0o600);
  try {
    return unpackEntry(fd, entry, {
      into,
      mostBytes: options.mostBytes,
      onDamage: options.onDamage,
    });
  } finally {
    closeSync(into);
  }
}
