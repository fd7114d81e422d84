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
  /** What all names here begin with; a number follows, because a text for each would take as much room as its path. */
  readonly #prefix = basename(temporaryName(".reprise"), ".tmp");
  readonly #waiting = new Set<number>();
  #last = 0;

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

  /** Writes a file with its mode; returns its number here. */
  file(bytes: Uint8Array, mode: number): number {
    const number = this.#next();
    const fd = openSync(this.at(number), "wx", 0o600);
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
      fchmodSync(fd, mode);
    } finally {
      closeSync(fd);
    }
    failpoint("restore.staging");
    return number;
  }

  /** Makes a link; returns its number here. */
  link({ target }: LinkEntry): number {
    const number = this.#next();
    symlinkSync(pathFor(target), this.at(number));
    return number;
  }

  /** Where something waits. */
  at(number: number): string {
    const name = this.#name(number);
    const place = this.#anchor === undefined ? join(this.#folder, name) : this.#anchor.place(name);
    if (place === undefined) throw Object.assign(new Error("no folder"), { code: "ENOTDIR" });
    return place;
  }

  /** Says that something is no longer here. */
  taken(number: number): void {
    this.#waiting.delete(number);
  }

  /** Removes what still waits. */
  clear(): void {
    for (const number of this.#waiting) rmSync(this.at(number), { force: true });
    this.#waiting.clear();
  }

  #next(): number {
    this.#last += 1;
    if (this.#anchor !== undefined)
      this.#running.announce(join(this.#folder, this.#name(this.#last)), []);
    this.#waiting.add(this.#last);
    return this.#last;
  }

  #name(number: number): string {
    return `${this.#prefix}${number.toString(36)}.tmp`;
  }
}
