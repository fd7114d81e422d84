import { basename, join } from "node:path";
import { atomicWrite } from "../base/atomic-write.ts";
import { fingerprint } from "../base/fingerprint.ts";
import { fileStat, smallFile } from "../base/folders.ts";
import { thisHolder } from "../base/holder.ts";
import { asString, parseObject } from "../base/json.ts";
import { limits } from "../base/limits.ts";
import { makeFolder } from "../base/make-folder.ts";
import { isBlobName } from "../blobs/name.ts";
import type { FolderState, LeafState, RuleFileState, SkipReason } from "./folder-state.ts";
import type { Reach, RuleSource } from "./ignore/rules.ts";
import type { SnapshotPlaces } from "./snapshot-store.ts";
import type { StatPrint } from "./stat-print.ts";

/** What was found in a folder, and the rules from above it by which it was judged. */
export interface KeptState {
  readonly above: string;
  readonly state: FolderState;
}

type PrintRow = readonly [number, number, number, number, number];
type LeafRow = readonly [name: string, print: PrintRow, blobOrTarget: string, isLink: 0 | 1];
type RuleRow = readonly [name: string, print: PrintRow, source: RuleSource];
type FolderRow = readonly [
  print: PrintRow,
  reach: Reach,
  tree: string,
  rules: readonly RuleRow[],
  leaves: readonly LeafRow[],
  skipped: readonly (readonly [string, SkipReason])[],
  folders: readonly (readonly [string, FolderRow])[],
];

/** Derived, and of one version of the program alone: what is not understood is made anew. */
const version = 1;

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
  const row = kept === undefined ? undefined : folderRow(kept.state);
  // What was not synced is trusted until the machine starts again.
  const boot = isSynced ? undefined : (thisHolder().bootId ?? "unknown");
  const text = JSON.stringify({ version, folder, boot, above: kept?.above, row });
  atomicWrite(path, text, { sync: false });
}

/** The state that was kept; undefined if there is none that can be understood. */
export function loadState(path: string, folder: string): KeptState | undefined {
  const text = smallFile(path, limits.stateCacheBytes);
  if (text === undefined) return undefined;
  try {
    const kept = JSON.parse(text);
    if (kept.version !== version || kept.folder !== folder || kept.row === undefined)
      return undefined;
    if (kept.boot !== undefined && kept.boot !== thisHolder().bootId) return undefined;
    return { above: String(kept.above), state: folderOf(kept.row as FolderRow) };
  } catch {
    return undefined;
  }
}

/** What a file of kept states is about. */
export interface KeptFolder {
  readonly path: string;
  readonly folder: string;
  readonly savedMs: number;
  /** Absent where nothing in it can be relied on. */
  readonly state?: FolderState;
}

/** What a file of kept states is about; undefined if it is no such file. */
export function keptFolder(path: string): KeptFolder | undefined {
  const savedMs = fileStat(path)?.modifiedMs;
  const folder = asString(parseObject(smallFile(path, limits.stateCacheBytes) ?? "")?.["folder"]);
  if (folder === undefined || savedMs === undefined) return undefined;
  const state = loadState(path, folder)?.state;
  return { path, folder, savedMs, ...(state && { state }) };
}

/** The lease of the folder whose state a file keeps. */
export function leaseNameOf(path: string): string {
  return `files-${basename(path, ".json")}`;
}

/** The names of all content a state relies on. */
export function* namesInState(state: FolderState): Generator<string> {
  yield state.tree;
  for (const { entry } of state.leaves.values()) if (entry.kind === "file") yield entry.blob;
  for (const folder of state.folders.values()) yield* namesInState(folder);
}

function folderRow(state: FolderState): FolderRow {
  return [
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
    [...state.folders].map(([name, folder]) => [name, folderRow(folder)]),
  ];
}

function folderOf(row: FolderRow): FolderState {
  const [print, reach, tree, rules, leaves, skipped, folders] = row;
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
    folders: new Map(folders.map(([name, inner]) => [name, folderOf(inner)])),
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
