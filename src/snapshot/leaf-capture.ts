import type { Stats } from "node:fs";
import { RepriseError } from "../base/errors.ts";
import { limits } from "../base/limits.ts";
import type { StagedBlob } from "../blobs/store.ts";
import type { LeafState, SkipReason } from "./folder-state.ts";
import { LeafReader, readLink } from "./read-leaf.ts";
import type { SnapshotStore } from "./snapshot-store.ts";
import { printOf, settledPrint } from "./stat-print.ts";
import type { Tree } from "./tree.ts";

const modeBits = 0o7777;

/** The bits of a mode that are kept. */
export function keptMode(mode: number): number {
  return mode & modeBits;
}

/** Stages the content of files and folders of one capture; what is staged must be settled. */
export class LeafCapture {
  readonly #store: SnapshotStore;
  readonly #reader = new LeafReader();
  #staged: StagedBlob[] = [];
  readonly #open = new Set<number>();
  readonly #room: () => number;
  #roomBytes: number | undefined;

  /** `room` is how many bytes the store may grow by; asked when it grows. */
  constructor(store: SnapshotStore, room: () => number) {
    this.#store = store;
    this.#room = room;
  }

  /** A file or a link as it is now, its content staged; or why it cannot be kept. */
  leaf(path: string, stat: Stats, options: { readonly mostBytes: number }): LeafState | SkipReason {
    const lookedMs = Date.now();
    const print = printOf(stat);
    if (stat.isSymbolicLink()) {
      const target = readLink(path);
      if (target === undefined) return "changing";
      return { print: settledPrint(print, lookedMs), entry: { kind: "link", target } };
    }
    if (!stat.isFile()) return "special";
    if (print.size > options.mostBytes) return "too large";
    const read = this.#reader.read(path, print);
    if (typeof read === "string") return read;
    const { blob, size } = this.#stage(this.#store.blobs.stage(read.bytes));
    const entry = { kind: "file", mode: keptMode(read.print.mode), size, blob } as const;
    return { print: settledPrint(read.print, lookedMs), entry };
  }

  /** The name of a tree, which is staged. */
  tree(tree: Tree): string {
    return this.#stage(this.#store.stageTree(tree)).blob;
  }

  /** The name of any other content, which is staged. */
  content(bytes: string | Uint8Array): string {
    return this.#stage(this.#store.blobs.stage(bytes)).blob;
  }

  /** Makes what was staged durable. */
  settle(): void {
    this.#store.blobs.settleSync(this.#staged);
    this.#staged = [];
    this.#open.clear();
  }

  /** Gives up what was staged and not settled. */
  abandon(): void {
    this.#store.blobs.abandon(this.#staged);
    this.#staged = [];
    this.#open.clear();
  }

  /** Large content has a file of its own, and what is there already is opened to be synced: not too many at once. */
  #stage(staged: StagedBlob): StagedBlob["ref"] {
    this.#staged.push(staged);
    if (staged.addedBytes > 0) this.#grow(staged.addedBytes);
    if (staged.fd !== undefined) this.#open.add(staged.fd);
    const isMuch = this.#staged.length >= limits.stagedRecords;
    if (isMuch || this.#open.size >= limits.stagedFiles) this.settle();
    return staged.ref;
  }

  /** What was just staged is on the disk when this is asked for the first time. */
  #firstRoom(): number {
    this.#store.blobs.flush();
    return this.#room();
  }

  #grow(bytes: number): void {
    const left = this.#roomBytes === undefined ? this.#firstRoom() : this.#roomBytes - bytes;
    this.#roomBytes = left;
    if (left >= 0) return;
    throw new RepriseError(
      "budget_full",
      "The disk budget of checkpoints has no room for these files.",
      {
        details: { neededBytes: -left },
      },
    );
  }
}
