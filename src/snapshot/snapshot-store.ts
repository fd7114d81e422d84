import { join } from "node:path";
import { type Disk, disk as realDisk } from "../base/disk.ts";
import { limits } from "../base/limits.ts";
import { BlobStore, type StagedBlob } from "../blobs/store.ts";
import type { Home } from "../store/home.ts";
import { decodeTree, encodeTree, type FileEntry, type Tree } from "./tree.ts";

/** Where a store keeps what snapshots need; apart from the content of sessions, which is collected by other rules. */
export interface SnapshotPlaces {
  readonly root: string;
  readonly blobs: string;
  /** What the disk said of each file when it was captured, for each project. */
  readonly caches: string;
  /** What waits to be renamed into a project's folder. */
  readonly restoring: string;
}

/** The places of a home. */
export function snapshotPlaces(home: Home): SnapshotPlaces {
  const root = join(home.root, "snapshots");
  return {
    root,
    blobs: join(root, "blobs"),
    caches: join(root, "caches"),
    restoring: join(root, "restoring"),
  };
}

/** Syncs are left to the system: a kill costs nothing, a power cut may cost the newest content. */
const unsyncedDisk: Disk = {
  ...realDisk,
  sync: (_fd, done) => done(),
  syncNow: () => undefined,
  syncDirectory: () => undefined,
};

/** The content of all snapshots of a home. Held open because a process appends to one pack of its own. */
export class SnapshotStore {
  readonly home: Home;
  readonly places: SnapshotPlaces;
  readonly blobs: BlobStore;
  /** Whether what is kept must survive a power cut. */
  readonly sync: boolean;
  readonly disk: Disk;
  readonly #trees = new Map<string, Tree>();
  #names = 0;

  constructor(home: Home, options: { readonly sync?: boolean } = {}) {
    this.home = home;
    this.places = snapshotPlaces(home);
    this.sync = options.sync !== false;
    this.disk = this.sync ? realDisk : unsyncedDisk;
    this.blobs = new BlobStore(this.places.blobs, { disk: this.disk, gathers: true });
  }

  /** The entries of a folder; throws `blob_missing` or `damaged`. */
  tree(name: string): Tree {
    const tree = this.treeOnce(name);
    this.#remember(name, tree);
    return tree;
  }

  /** The same, not kept in memory: for a walk through everything, which would push out what is asked for again. */
  treeOnce(name: string): Tree {
    return this.#trees.get(name) ?? decodeTree(this.blobs.get({ blob: name, size: 0 }));
  }

  /** Writes the entries of a folder without waiting for the disk; what is staged must be settled. */
  stageTree(tree: Tree): StagedBlob {
    const staged = this.blobs.stage(encodeTree(tree));
    this.#remember(staged.ref.blob, tree);
    return staged;
  }

  /** The bytes of a file. */
  content(entry: FileEntry): Buffer {
    return this.blobs.get({ blob: entry.blob, size: entry.size });
  }

  /** Ends the open pack. */
  close(): void {
    this.blobs.close();
  }

  #remember(name: string, tree: Tree): void {
    if (this.#trees.has(name)) return;
    if (this.#names > limits.rememberedNames) {
      this.#trees.clear();
      this.#names = 0;
    }
    this.#names += tree.size + 1;
    this.#trees.set(name, tree);
  }
}
