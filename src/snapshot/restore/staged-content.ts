import {
  closeSync,
  fchmodSync,
  lstatSync,
  openSync,
  rmSync,
  statSync,
  symlinkSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import type { Running } from "../../additions/running.ts";
import { failpoint } from "../../base/failpoint.ts";
import { makeFolder } from "../../base/make-folder.ts";
import { temporaryName } from "../../base/temporary-name.ts";
import { pathFor } from "../file-name.ts";
import type { SnapshotPlaces } from "../snapshot-store.ts";
import type { LinkEntry } from "../tree.ts";

/**
 * Files and links that wait to be renamed into a folder. They lie in the store where that is on the same disk, so that
 * nobody who watches the folder sees them; else at the top of the folder, announced.
 */
export class StagedContent {
  readonly #at: string;
  readonly #running: Running | undefined;
  readonly #waiting = new Set<string>();

  constructor(places: SnapshotPlaces, folder: string, running: Running) {
    makeFolder(places.restoring);
    const isSameDisk = lstatSync(places.restoring).dev === statSync(folder).dev;
    this.#at = join(isSameDisk ? places.restoring : folder, ".reprise");
    this.#running = isSameDisk ? undefined : running;
  }

  /** Writes a file with its mode; returns where it waits. */
  file(bytes: Uint8Array, mode: number): string {
    const path = this.#next();
    const fd = openSync(path, "wx", 0o600);
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
      fchmodSync(fd, mode);
    } finally {
      closeSync(fd);
    }
    failpoint("restore.staging");
    return path;
  }

  /** Makes a link; returns where it waits. */
  link({ target }: LinkEntry): string {
    const path = this.#next();
    symlinkSync(pathFor(target), path);
    return path;
  }

  /** Says that something is no longer here. */
  taken(path: string): void {
    this.#waiting.delete(path);
  }

  /** Removes what still waits. */
  clear(): void {
    for (const path of this.#waiting) rmSync(path, { force: true });
    this.#waiting.clear();
  }

  #next(): string {
    const path = temporaryName(this.#at);
    this.#running?.announce(path, []);
    this.#waiting.add(path);
    return path;
  }
}
