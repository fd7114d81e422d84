import {
  closeSync,
  constants,
  fchmodSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
} from "node:fs";
import type { Running } from "../../additions/running.ts";
import { errnoOf } from "../../base/errors.ts";
import { failpoint } from "../../base/failpoint.ts";
import { whyRefused } from "../../base/system-error.ts";
import { pathFor } from "../file-name.ts";
import type { LeftPath, RestoreStep } from "../plan.ts";
import type { SnapshotStore } from "../snapshot-store.ts";
import type { FileEntry, FolderEntry, LinkEntry, TreeEntry } from "../tree.ts";
import { AnchoredFolder } from "./anchored-folder.ts";
import type { PresentCheck } from "./present-check.ts";
import { StagedContent } from "./staged-content.ts";

const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;

/** What applying steps did. */
export interface Applied {
  /** How many paths are as they should be now. */
  readonly done: number;
  /** Paths that are not, because of what lies there or what the system said. */
  readonly left: readonly LeftPath[];
}

/** What applying steps works with. */
export interface ApplyTools {
  readonly folder: string;
  readonly store: SnapshotStore;
  readonly check: PresentCheck;
  /** Where temporary files are announced. */
  readonly running: Running;
  /** Hears of each step that is done. */
  readonly onStep?: ((count: number) => void) | undefined;
}

/**
 * Makes steps true in a folder. A path that has neither what the step begins with nor what it leads to is left and named;
 * one that has the latter is done. Order: all content is written where nobody sees it; then leaves go, folders go, folders
 * come, leaves come by rename, folders get their modes. So a full disk is noticed before anything changed, and a name that
 * differs only by case never removes what just came. Throws where the disk refuses: then some steps may be done.
 */
export function applySteps(steps: readonly RestoreStep[], tools: ApplyTools): Applied {
  const run = new Application(steps, tools);
  try {
    return run.run();
  } finally {
    run.close();
  }
}

/** The steps that take steps back. */
export function reversed(steps: readonly RestoreStep[]): readonly RestoreStep[] {
  return steps.map(({ path, from, to }) => ({
    path,
    ...(to !== undefined && { from: to }),
    ...(from !== undefined && { to: from }),
  }));
}

type Leaf = FileEntry | LinkEntry;

class Application {
  readonly #steps: readonly RestoreStep[];
  readonly #tools: ApplyTools;
  readonly #anchor: AnchoredFolder;
  readonly #staged: StagedContent;
  readonly #left = new Map<string, string>();
  /** Where the content of a path waits. */
  readonly #waiting = new Map<string, number>();

  constructor(steps: readonly RestoreStep[], tools: ApplyTools) {
    this.#steps = steps;
    this.#tools = tools;
    const { store, folder, running } = tools;
    this.#anchor = new AnchoredFolder(folder);
    this.#staged = new StagedContent(store.places, { folder, anchor: this.#anchor, running });
  }

  run(): Applied {
    const open = this.#steps.filter((step) => this.#isOpen(step));
    for (const step of open) this.#stage(step);
    const goes = open.filter(({ from, to }) => from !== undefined && isReplaced(from, to));
    for (const step of goes) if (isLeaf(step.from)) this.#try(step, () => this.#removeLeaf(step));
    // Folders come before what is in them; the inner ones go first.
    for (const step of goes.toReversed())
      if (!isLeaf(step.from)) this.#try(step, () => this.#removeFolder(step));
    if (goes.some(({ from }) => !isLeaf(from))) this.#anchor.renew();
    const folders = open.filter(({ to }) => to?.kind === "folder");
    for (const step of folders) this.#try(step, () => this.#makeFolder(step));
    for (const step of open) if (isLeaf(step.to)) this.#try(step, () => this.#putLeaf(step));
    for (const step of folders.toReversed()) this.#try(step, () => this.#setFolderMode(step));
    const left = [...this.#left].map(([path, why]) => ({ path, why }));
    return { done: this.#steps.length - left.length, left };
  }

  close(): void {
    try {
      this.#staged.clear();
    } finally {
      this.#anchor.close();
    }
  }

  /** Whether there is something to do; what lies there must be what the step begins with. */
  #isOpen({ path, from, to }: RestoreStep): boolean {
    const has = this.#look(path);
    if (has(to) && to?.kind !== "folder") return false;
    if (has(from) || (to?.kind === "folder" && has(to))) return true;
    // A folder in the place of a file, or a file in that of a folder, comes when the other is gone.
    if (isReplaced(from, to) && has(undefined)) return true;
    this.#leave(path, changed);
    return false;
  }

  #look(path: string): (entry: TreeEntry | undefined) => boolean {
    return this.#tools.check.look(path, this.#anchor.place(path));
  }

  #has(path: string, entry: TreeEntry | undefined): boolean {
    return this.#look(path)(entry);
  }

  #stage({ path, from, to }: RestoreStep): void {
    if (to?.kind === "file" && !hasBytesOf(from, to)) this.#stageFile(path, to);
    // Where nothing is replaced, a link is made in its place.
    else if (to?.kind === "link" && isLeaf(from)) this.#waiting.set(path, this.#staged.link(to));
  }

  #stageFile(path: string, to: FileEntry): void {
    this.#waiting.set(path, this.#staged.file(this.#tools.store.content(to), to.mode));
  }

  #removeLeaf({ path, from }: RestoreStep): void {
    const has = this.#look(path);
    if (has(from)) unlinkSync(this.#place(path));
    else if (!has(undefined)) this.#leave(path, changed);
  }

  #removeFolder({ path }: RestoreStep): void {
    if (!this.#has(path, undefined)) rmdirSync(this.#place(path));
  }

  #makeFolder({ path, from, to }: RestoreStep): void {
    if (this.#has(path, to)) return;
    if (from !== undefined && this.#left.has(path)) return;
    mkdirSync(this.#place(path), { mode: (to as FolderEntry).mode | 0o700 });
  }

  #setFolderMode({ path, to }: RestoreStep): void {
    if (this.#left.has(path)) return;
    this.#anchor.setMode(path, (to as FolderEntry).mode);
  }

  #putLeaf({ path, from, to }: RestoreStep): void {
    if (this.#left.has(path)) return;
    const begins = isReplaced(from, to) ? undefined : from;
    if (!this.#has(path, begins)) {
      this.#leave(path, changed);
      return;
    }
    if (to?.kind === "file" && hasBytesOf(begins, to) && this.#setMode(path, to)) return;
    if (to?.kind === "link" && begins === undefined) {
      symlinkSync(pathFor(to.target), this.#place(path));
      return;
    }
    if (!this.#waiting.has(path)) this.#stageFile(path, to as FileEntry);
    const waiting = this.#waiting.get(path)!;
    if (begins === undefined) this.#putNew(path, waiting);
    else renameSync(this.#staged.at(waiting), this.#place(path));
    this.#staged.taken(waiting);
  }

  /** Takes a name only if nobody has it. */
  #putNew(path: string, waiting: number): void {
    const place = this.#place(path);
    try {
      linkSync(this.#staged.at(waiting), place);
    } catch (error) {
      // A file system without links; another one than that of the folder's top is the caller's to deal with.
      if (!/^(?:EPERM|ENOSYS|ENOTSUP|EOPNOTSUPP|EMLINK)$/.test(errnoOf(error) ?? "")) throw error;
      renameSync(this.#staged.at(waiting), place);
      return;
    }
    unlinkSync(this.#staged.at(waiting));
  }

  /** Whether the mode of a file that has the right bytes could be set. */
  #setMode(path: string, { mode }: FileEntry): boolean {
    try {
      const fd = openSync(this.#place(path), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
      try {
        fchmodSync(fd, mode);
      } finally {
        closeSync(fd);
      }
      return true;
    } catch {
      return false;
    }
  }

  #place(path: string): string | Buffer {
    const place = this.#anchor.place(path);
    if (place === undefined) throw Object.assign(new Error("no folder"), { code: "ENOTDIR" });
    return pathFor(place);
  }

  /** What one path alone is refused is named; what no path would be spared ends all. */
  #try(step: RestoreStep, act: () => void): void {
    try {
      this.#allowed(step, act);
      failpoint("restore.step");
      this.#tools.onStep?.(1);
    } catch (error) {
      const errno = errnoOf(error) ?? "";
      if (!/^E[A-Z]+$/.test(errno) || fatal.has(errno)) throw error;
      const isFull = errno === "ENOTEMPTY" || (errno === "EEXIST" && step.to === undefined);
      this.#leave(step.path, isFull ? "something in it is not covered" : whyRefused(error));
    }
  }

  /** A folder that this user made read-only is opened for a moment. */
  #allowed({ path }: RestoreStep, act: () => void): void {
    try {
      act();
    } catch (error) {
      if (errnoOf(error) !== "EACCES") throw error;
      this.#anchor.loosen(path);
      act();
    }
  }

  #leave(path: string, why: string): void {
    this.#left.set(path, why);
  }
}

const changed = "it was changed meanwhile";
const fatal: ReadonlySet<string> = new Set([
  "ENOSPC",
  "EDQUOT",
  "EFBIG",
  "EIO",
  "EMFILE",
  "ENFILE",
]);

function isLeaf(entry: TreeEntry | undefined): entry is Leaf {
  return entry !== undefined && entry.kind !== "folder";
}

/** Whether what lies there must go before what comes: files and links replace each other by rename. */
function isReplaced(from: TreeEntry | undefined, to: TreeEntry | undefined): boolean {
  return (from?.kind === "folder") !== (to?.kind === "folder") || to === undefined;
}

function hasBytesOf(from: TreeEntry | undefined, to: FileEntry): boolean {
  return from?.kind === "file" && from.blob === to.blob;
}
