import { closeSync, fchmodSync, openSync, rmSync, statSync, symlinkSync, writeSync } from "node:fs";
import { basename, join } from "node:path";
import type { Running } from "../../additions/running.ts";
import { failpoint } from "../../base/failpoint.ts";
import { makeFolder } from "../../base/make-folder.ts";
import { temporaryName } from "../../base/temporary-name.ts";
import { pathFor } from "../file-name.ts";
import type { SnapshotPlaces } from "../snapshot-store.ts";
import type { LinkEntry } from "../tree.ts";
import type { AnchoredFolder } from "./anchored-folder.ts";

/**
 * Files and links that wait to be renamed into a folder. They lie in the store where that is on the same disk, so that
 * nobody who watches the folder sees them; else at the top of the folder, announced.
 */
export class StagedContent {
  readonly #folder: string;
  readonly #anchor: AnchoredFolder | undefined;
  readonly #running: Running;
  readonly #waiting = new Set<string>();

  constructor(
    places: SnapshotPlaces,
    {
      folder,
      anchor,
      running,
    }: {
      readonly folder: string;
      readonly anchor: AnchoredFolder;
      readonly running: Running;
    },
  ) {
    makeFolder(places.restoring);
    const isSameDisk = statSync(places.restoring).dev === statSync(folder).dev;
    this.#folder = isSameDisk ? places.restoring : folder;
    this.#anchor = isSameDisk ? undefined : anchor;
    this.#running = running;
  }

  /** Writes a file with its mode; returns its name here. */
  file(bytes: Uint8Array, mode: number): string {
    const name = this.#next();
    const fd = openSync(this.at(name), "wx", 0o600);
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
      fchmodSync(fd, mode);
    } finally {
      closeSync(fd);
    }
    failpoint("restore.staging");
    return name;
  }

  /** Makes a link; returns its name here. */
  link({ target }: LinkEntry): string {
    const name = this.#next();
    symlinkSync(pathFor(target), this.at(name));
    return name;
  }

  /** Where something waits. */
  at(name: string): string {
    const place = this.#anchor === undefined ? join(this.#folder, name) : this.#anchor.place(name);
    if (place === undefined) throw Object.assign(new Error("no folder"), { code: "ENOTDIR" });
    return place;
  }

  /** Says that something is no longer here. */
  taken(name: string): void {
    this.#waiting.delete(name);
  }

  /** Removes what still waits. */
  clear(): void {
    for (const name of this.#waiting) rmSync(this.at(name), { force: true });
    this.#waiting.clear();
  }

  #next(): string {
    const path = temporaryName(join(this.#folder, ".reprise"));
    const name = basename(path);
    if (this.#anchor !== undefined) this.#running.announce(path, []);
    this.#waiting.add(name);
    return name;
  }
}
