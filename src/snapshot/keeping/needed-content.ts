import { isRepriseError } from "../../base/errors.ts";
import type { Snapshot } from "../snapshot.ts";
import type { SnapshotStore } from "../snapshot-store.ts";

/** Gathers the names of content that snapshots need; held because most of it is shared. */
export class NeededContent {
  readonly #store: SnapshotStore;
  readonly #names = new Set<string>();

  constructor(store: SnapshotStore) {
    this.#store = store;
  }

  /** Every name so far. */
  get names(): ReadonlySet<string> {
    return this.#names;
  }

  /** Adds what a snapshot needs; returns how many bytes in the store nothing before it needed. */
  add({ tree, scope }: Snapshot): number {
    return this.#name(scope) + this.#tree(tree);
  }

  /** Adds names; returns likewise. */
  addNames(names: Iterable<string>): number {
    let bytes = 0;
    for (const name of names) bytes += this.#name(name);
    return bytes;
  }

  #name(name: string): number {
    if (this.#names.has(name)) return 0;
    this.#names.add(name);
    return this.#store.blobs.sizeOf(name) ?? 0;
  }

  #tree(name: string): number {
    if (this.#names.has(name)) return 0;
    let bytes = this.#name(name);
    try {
      for (const entry of this.#store.tree(name).values()) {
        if (entry.kind === "file") bytes += this.#name(entry.blob);
        else if (entry.kind === "folder") bytes += this.#tree(entry.tree);
      }
    } catch (error) {
      // What a lost or damaged tree needed is lost with it; the others are not.
      if (!isRepriseError(error, "blob_missing") && !isRepriseError(error, "damaged")) throw error;
    }
    return bytes;
  }
}
