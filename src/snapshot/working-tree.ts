import { statSync } from "node:fs";
import { relative, sep } from "node:path";
import { RepriseError } from "../base/errors.ts";
import { type Lease, takeLeaseSync } from "../base/lease.ts";
import { limits } from "../base/limits.ts";
import { storeLease } from "../base/store-leases.ts";
import { isWithin } from "../base/within.ts";
import type { Home } from "../store/home.ts";
import { realPathOf } from "../store/project.ts";
import { type AdoptedFile, adoptedEntry } from "./adopted-file.ts";
import { editTree } from "./edit-tree.ts";
import type { FolderState, LeafState } from "./folder-state.ts";
import { type Pattern, parsePatterns } from "./ignore/pattern.ts";
import { Rules } from "./ignore/rules.ts";
import { InnerFolders } from "./inner-folders.ts";
import { budgetOf, snapshotSettings } from "./keeping/budget.ts";
import { keptMode, LeafCapture } from "./leaf-capture.ts";
import { rulesAbove } from "./rules-above.ts";
import { readScope, type ScopeFacts, scopeOf, skippedIn } from "./scope.ts";
import type { Snapshot } from "./snapshot.ts";
import { SnapshotStore } from "./snapshot-store.ts";
import { lookAt } from "./stat-print.ts";
import { cachePath, type KeptState, leaseNameOf, loadState, saveState } from "./state-cache.ts";
import { Sweep } from "./sweep.ts";
import type { TreeEntry } from "./tree.ts";
import { diffTrees } from "./tree-paths.ts";

/** How a project's folder is opened. */
export interface WorkingTreeOptions {
  /** The store that keeps its snapshots. */
  readonly home: Home;
  /** The user's own folder, which is refused. */
  readonly userHome: string;
  /** Larger files are skipped; 20 MB unless said otherwise. */
  readonly mostFileBytes?: number | undefined;
  /** Whether what is captured must survive a power cut; a kill it survives in any case. */
  readonly sync?: boolean | undefined;
  /** How long to wait for another process that captures or restores the same folder. */
  readonly waitMs?: number | undefined;
}

/** What a capture looks at, and for how long. */
export interface CaptureOptions {
  /** Looks also at every path this snapshot has, whether the rules of today cover it or not. */
  readonly toward?: Snapshot | undefined;
  /** When to stop, by the clock; what is not looked at by then is counted as missed. */
  readonly deadlineMs?: number | undefined;
  /** Hears of files as they are looked at. */
  readonly onFiles?: ((count: number) => void) | undefined;
}

/**
 * A project's folder whose files can be captured. Held open: it knows what it saw last, so that the next look costs stats
 * and what changed.
 */
export class WorkingTree {
  readonly folder: string;
  readonly store: SnapshotStore;
  readonly #options: WorkingTreeOptions;
  readonly #cache: string;
  readonly #patterns = new Map<string, readonly Pattern[]>();
  /** What the last capture saw of paths that it was given. */
  readonly #named = new Map<string, LeafState>();
  #kept: KeptState | undefined;
  #savedMs: number | undefined;
  #saved: KeptState | undefined;
  #lease: Lease | undefined;
  #mostBytes: number | undefined;

  private constructor(folder: string, options: WorkingTreeOptions) {
    this.folder = folder;
    this.#options = options;
    this.store = new SnapshotStore(options.home, {
      ...(options.sync !== undefined && { sync: options.sync }),
    });
    this.#cache = cachePath(this.store.places, folder);
  }

  /** Opens a folder; the user's home, what holds it, and `/` are refused. */
  static open(folder: string, options: WorkingTreeOptions): WorkingTree {
    const real = realPathOf(folder);
    if (statSync(real, { throwIfNoEntry: false })?.isDirectory() !== true) {
      throw new RepriseError("not_found", `${folder} is not a folder.`, {
        hint: "Name the folder of a project.",
      });
    }
    if (isWithin(realPathOf(options.userHome), real)) {
      throw new RepriseError(
        "bad_input",
        `${real} holds everything you have; checkpoints are for the folder of a project.`,
        { hint: "Change to the folder of a project, or name it with --folder." },
      );
    }
    return new WorkingTree(real, options);
  }

  /**
   * Does something while no other process captures, restores or collects content of this folder. What a snapshot names
   * is safe until then; later only where a checkpoint in the journal names it.
   */
  hold<T>(work: () => T): T {
    if (this.#lease !== undefined) return work();
    this.#take();
    try {
      return work();
    } finally {
      this.#release();
    }
  }

  /** Holds the folder likewise until a promise is settled. */
  async holdWhile<T>(work: () => Promise<T>): Promise<T> {
    if (this.#lease !== undefined) return work();
    this.#take();
    try {
      return await work();
    } finally {
      this.#release();
    }
  }

  /** What the last capture saw of a file or a link; undefined if it saw none. */
  leafAt(path: string): LeafState | undefined {
    const named = this.#named.get(path);
    if (named !== undefined) return named;
    const names = path.split("/");
    let state = this.#kept?.state;
    for (const name of names.slice(0, -1)) state = state?.folders.get(name);
    return state?.leaves.get(names.at(-1)!);
  }

  /** Captures everything the rules cover. */
  capture(options: CaptureOptions = {}): Snapshot {
    return this.#capturing((capture) => this.#capture(capture, options));
  }

  /**
   * Captures some paths alone, by what was known of all others; they need not be there. This costs what these files cost,
   * whatever the size of the folder.
   */
  captureOnly(paths: readonly string[], before: Snapshot | undefined): Snapshot {
    return this.#capturing((capture) => {
      const base = before === undefined ? undefined : readScope(this.store, before.scope).facts;
      const { edits, skipped } = this.#edits(capture, paths);
      const tree = this.#edited(capture, before?.tree, edits);
      const facts: ScopeFacts = {
        rules: base?.rules ?? { prefix: "", sources: [], outside: [] },
        mostFileBytes: this.#mostFileBytes,
        skipped,
        also: [],
        missed: [],
        only: [...paths].sort(),
      };
      const snapshot = this.#snapshot(capture, facts, {
        tree,
        files: before?.files ?? edits.size,
        bytes: before?.bytes ?? 0,
      });
      return { ...snapshot, partial: true };
    });
  }

  /**
   * A snapshot of files as they were somewhere else, by path: content, where a link led, or nothing where nothing was. All
   * other paths it says nothing of.
   */
  adopt(files: ReadonlyMap<string, AdoptedFile>): Snapshot {
    return this.#capturing((capture) => {
      const edits = new Map<string, TreeEntry | undefined>();
      for (const [path, file] of files) edits.set(path, adoptedEntry(capture, file));
      const tree = this.#edited(capture, undefined, edits);
      const facts: ScopeFacts = {
        rules: { prefix: "", sources: [], outside: [] },
        mostFileBytes: this.#mostFileBytes,
        skipped: [],
        also: [],
        missed: [],
        only: [...files.keys()].sort(),
      };
      const entries = [...edits.values()];
      const bytes = entries.reduce((sum, one) => sum + (one?.kind === "file" ? one.size : 0), 0);
      const kept = entries.filter((one) => one !== undefined).length;
      return { ...this.#snapshot(capture, facts, { tree, files: kept, bytes }), partial: true };
    });
  }

  /** Keeps what is known for the next process. */
  close(): void {
    if (this.#kept !== this.#saved) {
      this.hold(() => {
        const kept = this.#kept;
        this.#refresh();
        if (this.#kept === kept) this.#save();
      });
    }
    this.store.close();
  }

  #take(): void {
    const { home, waitMs } = this.#options;
    // Its folder stays: to remove it takes as long as all else that one captured file takes.
    const place = { ...storeLease(home.leases, leaseNameOf(this.#cache)), isOwnFolder: false };
    this.#lease = takeLeaseSync(place, {
      waitMs,
      staleMs: limits.leaseWorkStaleMs,
    });
    try {
      // Who collects content looks for these files: one must be there before anything is captured.
      if (lookAt(this.#cache) === undefined) this.#save();
    } catch (error) {
      this.#release();
      throw error;
    }
  }

  #release(): void {
    const lease = this.#lease;
    this.#lease = undefined;
    lease?.release();
  }

  get #mostFileBytes(): number {
    this.#mostBytes ??=
      this.#options.mostFileBytes ??
      snapshotSettings(this.#options.home).mostFileBytes ??
      limits.capturedFileBytes;
    return this.#mostBytes;
  }

  /**
   * Takes over what another process kept since. Who collects content touches the files it went by: what this process alone
   * knows may be gone then.
   */
  #refresh(): void {
    const savedMs = lookAt(this.#cache)?.mtimeMs;
    if (savedMs === this.#savedMs) return;
    this.#kept = loadState(this.#cache, this.folder);
    this.#saved = this.#kept;
    this.#savedMs = savedMs;
  }

  #save(): void {
    const isSynced = this.#options.sync !== false;
    saveState(this.#cache, this.folder, { kept: this.#kept, isSynced });
    this.#saved = this.#kept;
    this.#savedMs = lookAt(this.#cache)?.mtimeMs;
  }

  /** Captures while the folder is held; what was staged is given up where that fails. */
  #capturing<T>(work: (capture: LeafCapture) => T): T {
    return this.hold(() => {
      const capture = new LeafCapture(this.store, () => {
        const { budgetBytes, usedBytes } = budgetOf(this.#options.home);
        return budgetBytes - usedBytes;
      });
      try {
        return work(capture);
      } catch (error) {
        capture.abandon();
        throw error;
      }
    });
  }

  #capture(capture: LeafCapture, options: CaptureOptions): Snapshot {
    this.#refresh();
    const above = rulesAbove(this.folder, {
      userHome: realPathOf(this.#options.userHome),
      outside: this.#outside(),
    });
    const said = JSON.stringify(above);
    const rules = new Rules(above, (text) => this.#parsed(text));
    const swept = new Sweep(capture, {
      folder: this.folder,
      rules,
      prefix: above.prefix,
      mostFileBytes: this.#mostFileBytes,
      deadlineMs: options.deadlineMs,
      onFiles: options.onFiles,
    }).run(this.#kept?.state, { rulesChanged: said !== this.#kept?.above });
    const seen: ScopeFacts = {
      rules: { ...above, sources: rules.sources },
      mostFileBytes: this.#mostFileBytes,
      skipped: [...skippedIn(swept.state)],
      also: [],
      missed: swept.missed,
    };
    const { tree, also, skipped } = this.#withAlso(capture, swept.state, {
      toward: options.toward,
      seen,
    });
    const facts = { ...seen, skipped: [...seen.skipped, ...skipped], also };
    const { files, bytes } = swept;
    const snapshot = this.#snapshot(capture, facts, { tree, files, bytes });
    if (swept.missed.length === 0) this.#keep({ above: said, state: swept.state });
    return snapshot;
  }

  #keep(kept: KeptState): void {
    const isSame = this.#kept?.state === kept.state && this.#kept.above === kept.above;
    if (!isSame) this.#kept = kept;
  }

  /** The store itself, where it lies in the folder. */
  #outside(): readonly string[] {
    const root = realPathOf(this.#options.home.root);
    if (root === this.folder || !isWithin(root, this.folder)) return [];
    return [relative(this.folder, root).split(sep).join("/")];
  }

  #parsed(text: string): readonly Pattern[] {
    const known = this.#patterns.get(text) ?? parsePatterns(text);
    this.#patterns.set(text, known);
    return known;
  }

  #withAlso(
    capture: LeafCapture,
    { tree }: FolderState,
    { toward, seen }: { readonly toward: Snapshot | undefined; readonly seen: ScopeFacts },
  ): {
    readonly tree: string;
    readonly also: readonly string[];
    readonly skipped: ScopeFacts["skipped"];
  } {
    if (toward === undefined) return { tree, also: [], skipped: [] };
    // What is staged cannot be read before it is settled.
    capture.settle();
    const scope = scopeOf(seen);
    const also: string[] = [];
    // What the rules cover and the sweep did not find is not there.
    for (const { path, from, to } of diffTrees(this.store, tree, toward.tree)) {
      const isFolder = to?.kind === "folder";
      if (from === undefined && scope.uncovered(path, { isFolder }) !== undefined) also.push(path);
    }
    const { edits, skipped } = this.#edits(capture, also);
    return { tree: this.#edited(capture, tree, edits), also: also.sort(), skipped };
  }

  /** What lies at paths now; a path with nothing is edited away, and a folder is not looked into. */
  #edits(
    capture: LeafCapture,
    paths: Iterable<string>,
  ): {
    readonly edits: Map<string, TreeEntry | undefined>;
    readonly skipped: ScopeFacts["skipped"];
  } {
    const folders = new InnerFolders(this.folder);
    this.#named.clear();
    const edits = new Map<string, TreeEntry | undefined>();
    const skipped: [string, ScopeFacts["skipped"][number][1]][] = [];
    for (const path of paths) {
      if (path.split("/").includes(".git")) continue;
      const place = `${this.folder}/${path}`;
      const stat = folders.hold(path) ? lookAt(place) : undefined;
      if (stat === undefined) edits.set(path, undefined);
      else if (stat.isDirectory()) skipped.push([path, "folder"]);
      else {
        const leaf = capture.leaf(place, stat, { mostBytes: limits.includedFileBytes });
        if (typeof leaf === "string") skipped.push([path, leaf]);
        else {
          edits.set(path, leaf.entry);
          this.#named.set(path, leaf);
        }
      }
    }
    return { edits, skipped };
  }

  #edited(
    capture: LeafCapture,
    tree: string | undefined,
    edits: ReadonlyMap<string, TreeEntry | undefined>,
  ): string {
    if (tree !== undefined && edits.size === 0) return tree;
    const modeOf = (folder: string): number =>
      keptMode(lookAt(`${this.folder}/${folder}`)?.mode ?? 0o700);
    return editTree({ store: this.store, capture }, tree, edits, { modeOf });
  }

  #snapshot(
    capture: LeafCapture,
    facts: ScopeFacts,
    at: { readonly tree: string; readonly files: number; readonly bytes: number },
  ): Snapshot {
    const scope = capture.content(JSON.stringify(facts));
    capture.settle();
    return {
      folder: this.folder,
      at: new Date().toISOString(),
      scope,
      ...at,
      skipped: facts.skipped.length,
      missed: facts.missed.length,
    };
  }
}
