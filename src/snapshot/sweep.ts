import { RepriseError } from "../base/errors.ts";
import { limits } from "../base/limits.ts";
import type { FolderState, LeafState, RuleFileState, SkipReason } from "./folder-state.ts";
import type { Reach, Rules } from "./ignore/rules.ts";
import { keptMode, type LeafCapture } from "./leaf-capture.ts";
import { listFolder } from "./list-folder.ts";
import { readRuleFiles, sameRuleFiles } from "./rule-files.ts";
import { lookAt, printOf, type StatPrint, samePrint, settledPrint } from "./stat-print.ts";
import { sameEntry, type Tree, type TreeEntry } from "./tree.ts";
import { below } from "./tree-paths.ts";

/** What a sweep is asked for. */
export interface SweepOptions {
  readonly folder: string;
  /** The rules from above the folder; those in it are added while it is swept. */
  readonly rules: Rules;
  /** Where the folder lies below the top of the rules. */
  readonly prefix: string;
  /** Larger files are skipped, unless they are included by name. */
  readonly mostFileBytes: number;
  /** When to stop looking, by the clock; what is not looked at by then is `missed`. */
  readonly deadlineMs?: number | undefined;
  /** Hears of files as they are looked at. */
  readonly onFiles?: ((count: number) => void) | undefined;
}

/** What a sweep found. */
export interface Swept {
  readonly state: FolderState;
  readonly files: number;
  readonly bytes: number;
  readonly missed: readonly string[];
}

interface Found {
  readonly leaves: Map<string, LeafState>;
  readonly folders: Map<string, FolderState>;
  readonly skipped: Map<string, SkipReason>;
}

interface FolderAt {
  readonly print: StatPrint;
  readonly reach: Reach;
  readonly before: FolderState | undefined;
  /** Whether rules of a folder above are others than they were: then all is judged anew. */
  readonly rulesChanged: boolean;
}

/**
 * Looks at everything the rules cover and stages what is new. An entry whose stat is as it was is not read, a folder
 * whose stat is as it was is not listed, and what is ignored is not looked at. A folder in which nothing changed keeps its
 * state, the same object.
 */
export class Sweep {
  readonly #capture: LeafCapture;
  readonly #options: SweepOptions;
  readonly #beganMs = Date.now();
  readonly #missed: string[] = [];
  #files = 0;
  #bytes = 0;

  constructor(capture: LeafCapture, options: SweepOptions) {
    this.#capture = capture;
    this.#options = options;
  }

  /** Sweeps the folder; `before` is what an earlier sweep found. */
  run(before: FolderState | undefined, options: { readonly rulesChanged: boolean }): Swept {
    const { folder } = this.#options;
    const stat = lookAt(folder);
    const state =
      stat?.isDirectory() === true
        ? this.#folder("", { print: printOf(stat), reach: "usual", before, ...options })
        : undefined;
    if (state === undefined) {
      throw new RepriseError("not_found", `${folder} is not a folder that can be read.`, {
        hint: "Run it in the folder of a project.",
      });
    }
    return { state, files: this.#files, bytes: this.#bytes, missed: this.#missed };
  }

  /** The state of a folder; undefined if it cannot be listed. */
  #folder(path: string, at: FolderAt): FolderState | undefined {
    const { before, reach, print } = at;
    if (this.#isLate()) return this.#miss(path, before);
    const place = this.#place(path);
    const isAsListed =
      before !== undefined && before.reach === reach && samePrint(before.print, print);
    const fresh = isAsListed ? undefined : listFolder(place);
    if (!isAsListed && fresh === undefined) return undefined;
    const rules = readRuleFiles(place, {
      folder: below(this.#options.prefix, path),
      before: before?.rules ?? [],
      names: new Set(fresh?.map(({ name }) => name) ?? before?.rules.map(({ name }) => name)),
    });
    for (const { source } of rules) this.#options.rules.add(source);
    const rulesChanged = at.rulesChanged || !sameRuleFiles(rules, before?.rules ?? []);
    const found: Found = { leaves: new Map(), folders: new Map(), skipped: new Map() };
    if (before !== undefined && isAsListed && !rulesChanged) this.#asBefore(path, before, found);
    else {
      const listed = fresh ?? listFolder(place);
      if (listed === undefined) return undefined;
      for (const { name, isFolder } of listed) {
        const inner = below(path, name);
        const own = this.#options.rules.reachOf(inner, { isFolder, within: reach });
        // A file is covered by its name or not at all.
        if (own === undefined || (own === "named" && !isFolder)) continue;
        this.#entry(inner, { name, reach: own, before, found, rulesChanged });
      }
    }
    return this.#stateOf(found, { ...at, rules });
  }

  #asBefore(path: string, before: FolderState, found: Found): void {
    const at = { before, found, rulesChanged: false };
    for (const name of before.leaves.keys())
      this.#entry(below(path, name), { ...at, name, reach: before.reach });
    for (const [name, { reach }] of before.folders)
      this.#entry(below(path, name), { ...at, name, reach });
    for (const name of before.skipped.keys())
      this.#entry(below(path, name), { ...at, name, reach: before.reach });
  }

  #entry(
    path: string,
    at: {
      readonly name: string;
      readonly reach: Reach;
      readonly before: FolderState | undefined;
      readonly found: Found;
      readonly rulesChanged: boolean;
    },
  ): void {
    const { name, reach, found, rulesChanged } = at;
    const place = this.#place(path);
    const stat = lookAt(place);
    // Gone since it was listed, or not to be asked for.
    if (stat === undefined) return;
    if (stat.isDirectory()) {
      const before = at.before?.folders.get(name);
      const state = this.#folder(path, { print: printOf(stat), reach, before, rulesChanged });
      if (state === undefined) found.skipped.set(name, "unreadable");
      else found.folders.set(name, state);
      return;
    }
    const before = at.before?.leaves.get(name);
    const leaf =
      before !== undefined && samePrint(before.print, printOf(stat))
        ? before
        : this.#isLate()
          ? this.#missedLeaf(path, before)
          : this.#capture.leaf(place, stat, { mostBytes: this.#mostBytes(path, stat.size, at) });
    if (typeof leaf === "string") found.skipped.set(name, leaf);
    else if (leaf !== undefined) {
      this.#count(leaf.entry.kind === "file" ? leaf.entry.size : 0);
      found.leaves.set(name, leaf);
    }
  }

  #stateOf(found: Found, at: FolderAt & { readonly rules: readonly RuleFileState[] }): FolderState {
    const { before, reach, rules } = at;
    const print = settledPrint(at.print, this.#beganMs);
    const isSame = before !== undefined && hasSameContent(before, found);
    const tree = isSame ? before.tree : this.#capture.tree(treeOf(found));
    const isKept =
      isSame &&
      before.reach === reach &&
      samePrint(before.print, print) &&
      before.rules.every((file, index) => file === rules[index]) &&
      hasSameStates(before, found);
    return isKept ? before : { print, reach, rules, ...found, tree };
  }

  /** What was known of a folder stays in the tree, and the path is said to be missed. */
  #miss(path: string, before: FolderState | undefined): FolderState {
    this.#missed.push(path);
    if (before !== undefined) return before;
    const none = { leaves: new Map(), folders: new Map(), skipped: new Map() };
    return {
      print: { size: 0, mtimeMs: -1, ctimeMs: -1, inode: 0, mode: 0o700 },
      reach: "usual",
      rules: [],
      ...none,
      tree: this.#capture.tree(new Map()),
    };
  }

  #missedLeaf(path: string, before: LeafState | undefined): LeafState | undefined {
    this.#missed.push(path);
    return before;
  }

  #isLate(): boolean {
    const { deadlineMs } = this.#options;
    return deadlineMs !== undefined && Date.now() >= deadlineMs;
  }

  /** What is included by name may be larger. */
  #mostBytes(path: string, size: number, at: { readonly reach: Reach }): number {
    const { mostFileBytes, rules } = this.#options;
    if (size <= mostFileBytes) return mostFileBytes;
    const isIncluded = rules.reachOf(path, { isFolder: false, within: at.reach }) === "all";
    return isIncluded ? limits.includedFileBytes : mostFileBytes;
  }

  #count(bytes: number): void {
    this.#files += 1;
    this.#bytes += bytes;
    this.#options.onFiles?.(1);
    if (this.#files <= limits.snapshotFiles) return;
    const { folder } = this.#options;
    throw new RepriseError(
      "too_large",
      `${folder} has more than ${limits.snapshotFiles} files that are not ignored.`,
      { hint: "Name folders that need no checkpoint in a file `.repriseignore`." },
    );
  }

  #place(path: string): string {
    return path === "" ? this.#options.folder : `${this.#options.folder}/${path}`;
  }
}

function treeOf({ leaves, folders }: Found): Tree {
  const entries: [string, TreeEntry][] = [...leaves].map(([name, { entry }]) => [name, entry]);
  for (const [name, state] of folders) {
    // Nothing in an ignored folder was included: it is not covered itself.
    if (state.reach === "named" && isEmpty(state)) continue;
    entries.push([name, { kind: "folder", mode: keptMode(state.print.mode), tree: state.tree }]);
  }
  return new Map(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function isEmpty({ leaves, folders }: FolderState): boolean {
  return leaves.size === 0 && [...folders.values()].every(isEmpty);
}

/** Whether the tree would be the same; a new time of a file alone makes no new tree. */
function hasSameContent(before: FolderState, found: Found): boolean {
  if (before.leaves.size !== found.leaves.size || before.folders.size !== found.folders.size)
    return false;
  for (const [name, { entry }] of found.leaves) {
    const known = before.leaves.get(name)?.entry;
    if (known !== entry && !sameEntry(known, entry)) return false;
  }
  for (const [name, state] of found.folders) {
    const known = before.folders.get(name);
    if (known === state) continue;
    if (known === undefined || known.tree !== state.tree || known.reach !== state.reach)
      return false;
    if (keptMode(known.print.mode) !== keptMode(state.print.mode)) return false;
  }
  return true;
}

function hasSameStates(before: FolderState, found: Found): boolean {
  if (before.skipped.size !== found.skipped.size) return false;
  for (const [name, reason] of found.skipped) if (before.skipped.get(name) !== reason) return false;
  for (const [name, leaf] of found.leaves) if (before.leaves.get(name) !== leaf) return false;
  for (const [name, state] of found.folders) if (before.folders.get(name) !== state) return false;
  return true;
}
