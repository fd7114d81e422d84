import { closeSync } from "node:fs";
import { basename, join } from "node:path";
import { atomicWrite } from "../base/atomic-write.ts";
import { fingerprint } from "../base/fingerprint.ts";
import { fileStat } from "../base/folders.ts";
import { thisHolder } from "../base/holder.ts";
import { asString, isObject } from "../base/json.ts";
import { limits } from "../base/limits.ts";
import { makeFolder } from "../base/make-folder.ts";
import { openForReading } from "../base/open-file.ts";
import { isBlobName } from "../blobs/name.ts";
import { linesForward } from "../jsonl/read-forward.ts";
import type { FolderState, LeafState, RuleFileState, SkipReason } from "./folder-state.ts";
import type { Reach, RuleSource } from "./ignore/rules.ts";
import type { SnapshotPlaces } from "./snapshot-store.ts";
import type { StatPrint } from "./stat-print.ts";
import { below, folderAbove } from "./tree-paths.ts";

/** What was found in a folder, and the rules from above it by which it was judged. */
export interface KeptState {
  readonly above: string;
  readonly state: FolderState;
}

type PrintRow = readonly [number, number, number, number, number];
type LeafRow = readonly [name: string, print: PrintRow, blobOrTarget: string, isLink: 0 | 1];
type RuleRow = readonly [name: string, print: PrintRow, source: RuleSource];
/** One folder; those in it follow in rows of their own. */
type FolderRow = readonly [
  path: string,
  print: PrintRow,
  reach: Reach,
  tree: string,
  rules: readonly RuleRow[],
  leaves: readonly LeafRow[],
  skipped: readonly (readonly [string, SkipReason])[],
];

/*
 * Derived, and of one version of the program alone: what is not understood is made anew. A line of JSON says whose state it
 * is, then comes a line for each folder, those above first, and a last one with their number: a file that a power cut left
 * without it says nothing. So a state is never held twice, whatever its size.
 */
const version = 2;
const lineLimit = { maxLineBytes: limits.stateCacheBytes };

/** Where the state of a folder is kept. */
export function cachePath(places: SnapshotPlaces, folder: string): string {
  return join(places.caches, `${fingerprint(folder)}.json`);
}

/** Keeps a state for the next process. */
export function saveState(
  path: string,
  folder: string,
  { kept, isSynced }: { readonly kept: KeptState | undefined; readonly isSynced: boolean },
): void {
  makeFolder(join(path, ".."));
  // What was not synced is trusted until the machine starts again.
  const boot = isSynced ? undefined : (thisHolder().bootId ?? "unknown");
  const header = { version, folder, boot, above: kept?.above };
  atomicWrite(path, pieces(linesOf(header, kept?.state)), { sync: false });
}

function* linesOf(header: object, state: FolderState | undefined): Generator<string> {
  yield JSON.stringify(header);
  let folders = 0;
  if (state === undefined) return;
  for (const row of folderRows("", state)) {
    folders += 1;
    yield JSON.stringify(row);
  }
  yield String(folders);
}

/** Lines in pieces that are worth a write each. */
function* pieces(lines: Iterable<string>): Generator<Buffer> {
  let text = "";
  for (const line of lines) {
    text += `${line}\n`;
    if (text.length < limits.chunkBytes) continue;
    yield Buffer.from(text);
    text = "";
  }
  yield Buffer.from(text);
}

/** The state that was kept; undefined if there is none that can be understood. */
export function loadState(path: string, folder: string): KeptState | undefined {
  const rows = keptRows(path);
  try {
    const header = headerIn(rows.next().value);
    if (header?.folder !== folder || header.above === undefined) return undefined;
    const state = stateIn(rows);
    return state === undefined ? undefined : { above: header.above, state };
  } catch {
    return undefined;
  } finally {
    rows.return(undefined);
  }
}

/** The state of the uppermost folder; undefined where the last row is missing. Throws where rows are no states. */
function stateIn(rows: Iterable<unknown>): FolderState | undefined {
  const folders = new Map<string, Map<string, FolderState>>();
  let root: FolderState | undefined;
  for (const row of rows) {
    if (typeof row === "number") return row === folders.size ? root : undefined;
    const [path] = row as FolderRow;
    const inner = new Map<string, FolderState>();
    const state = folderOf(row as FolderRow, inner);
    folders.set(path, inner);
    if (path === "") root = state;
    else folders.get(folderAbove(path))!.set(path.slice(path.lastIndexOf("/") + 1), state);
  }
  return undefined;
}

interface Header {
  readonly folder: string;
  /** Absent where nothing that follows can be relied on. */
  readonly above?: string;
}

function headerIn(value: unknown): Header | undefined {
  const folder = isObject(value) ? asString(value["folder"]) : undefined;
  if (!isObject(value) || folder === undefined) return undefined;
  const isOfBoot = value["boot"] === undefined || value["boot"] === thisHolder().bootId;
  const above = value["version"] === version && isOfBoot ? asString(value["above"]) : undefined;
  return { folder, ...(above !== undefined && { above }) };
}

/** The values in a file, line by line, up to the first line that holds none. */
function* keptRows(path: string): Generator<unknown, undefined> {
  const stat = fileStat(path);
  if (stat === undefined || stat.sizeBytes > limits.stateCacheBytes) return undefined;
  let fd: number;
  try {
    fd = openForReading(path);
  } catch {
    return undefined;
  }
  try {
    for (const { bytes, complete, tooLong } of linesForward(fd, lineLimit)) {
      if (!complete || tooLong) return undefined;
      yield JSON.parse(bytes.toString("utf8"));
    }
  } catch {
    return undefined;
  } finally {
    closeSync(fd);
  }
  return undefined;
}

/** What a file of kept states is about. */
export interface KeptFolder {
  readonly path: string;
  readonly folder: string;
  readonly savedMs: number;
  /** Whether something in it can be relied on. */
  readonly isKnown: boolean;
}

/** What a file of kept states is about; undefined if it is no such file. */
export function keptFolder(path: string): KeptFolder | undefined {
  const savedMs = fileStat(path)?.modifiedMs;
  const rows = keptRows(path);
  const header = headerIn(rows.next().value);
  rows.return(undefined);
  if (header === undefined || savedMs === undefined) return undefined;
  return { path, folder: header.folder, savedMs, isKnown: header.above !== undefined };
}

/** The names of all content that a kept state relies on. */
export function* namesKept({ path, isKnown }: KeptFolder): Generator<string> {
  if (!isKnown) return;
  for (const row of keptRows(path)) {
    if (!Array.isArray(row)) continue;
    const [, , , tree, , leaves] = row as unknown as FolderRow;
    yield tree;
    for (const [, , text, isLink] of leaves) if (isLink === 0) yield text;
  }
}

/** The lease of the folder whose state a file keeps. */
export function leaseNameOf(path: string): string {
  return `files-${basename(path, ".json")}`;
}

function* folderRows(path: string, state: FolderState): Generator<FolderRow> {
  yield [
    path,
    printRow(state.print),
    state.reach,
    state.tree,
    state.rules.map(({ name, print, source }) => [name, printRow(print), source]),
    [...state.leaves].map(([name, { print, entry }]) => [
      name,
      printRow(print),
      entry.kind === "file" ? entry.blob : entry.target,
      entry.kind === "file" ? 0 : 1,
    ]),
    [...state.skipped],
  ];
  for (const [name, inner] of state.folders) yield* folderRows(below(path, name), inner);
}

function folderOf(row: FolderRow, folders: ReadonlyMap<string, FolderState>): FolderState {
  const [, print, reach, tree, rules, leaves, skipped] = row;
  if (!isBlobName(tree)) throw new Error("not a state");
  return {
    print: printOf(print),
    reach,
    tree,
    rules: rules.map(
      ([name, stat, source]): RuleFileState => ({
        name,
        print: printOf(stat),
        source,
      }),
    ),
    leaves: new Map(leaves.map((leaf) => [leaf[0], leafOf(leaf)])),
    skipped: new Map(skipped),
    folders,
  };
}

function leafOf([, row, text, isLink]: LeafRow): LeafState {
  const print = printOf(row);
  if (isLink === 1) return { print, entry: { kind: "link", target: text } };
  if (!isBlobName(text)) throw new Error("not a state");
  const mode = print.mode & 0o7777;
  return { print, entry: { kind: "file", mode, size: print.size, blob: text } };
}

function printRow({ size, mtimeMs, ctimeMs, inode, mode }: StatPrint): PrintRow {
  return [size, mtimeMs, ctimeMs, inode, mode];
}

function printOf([size, mtimeMs, ctimeMs, inode, mode]: PrintRow): StatPrint {
  return { size, mtimeMs, ctimeMs, inode, mode };
}
