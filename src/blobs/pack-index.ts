import { readdirSync } from "node:fs";
import { join } from "node:path";
import { withRoom } from "../base/descriptors.ts";
import type { Disk } from "../base/disk.ts";
import { errnoOf } from "../base/errors.ts";
import { wideColumn } from "../base/number-column.ts";
import { openIfThere, type PackEntry, scanPack } from "./pack.ts";

/** Where content lies in a folder of packs. */
export interface PackPlace extends PackEntry {
  readonly path: string;
}

const packShape = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.pack$/;

/** Whether a file name is that of a pack. */
export function isPackName(file: string): boolean {
  return packShape.test(file);
}

/** The paths of the packs in a folder, oldest first. */
export function packPaths(folder: string): readonly string[] {
  let files: readonly string[];
  try {
    files = withRoom(() => readdirSync(folder));
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return [];
    throw error;
  }
  return files
    .filter(isPackName)
    .sort()
    .map((file) => join(folder, file));
}

/**
 * Knows where each blob of a folder of packs lies, by scanning each byte of a pack's headers once. Held in columns: an
 * object for each of 100,000 files takes more room than all else that is known of them.
 */
export class PackIndex {
  readonly #folder: string;
  readonly #disk: Disk;
  readonly #rows = new Map<string, number>();
  readonly #offsets = wideColumn();
  readonly #lengths = wideColumn();
  readonly #packs = wideColumn();
  readonly #paths: string[] = [];
  readonly #scannedTo = new Map<string, number>();
  #lastRow = 0;
  #isFilled = false;

  constructor(folder: string, disk: Disk) {
    this.#folder = folder;
    this.#disk = disk;
  }

  /** The place as known; scans the folder only the first time, so it may miss what others wrote since. */
  known(name: string): PackPlace | undefined {
    if (!this.#isFilled) this.refresh();
    const row = this.#rows.get(name);
    if (row === undefined) return undefined;
    return {
      name,
      offset: this.#offsets.get(row),
      length: this.#lengths.get(row),
      path: this.#paths[this.#packs.get(row)]!,
    };
  }

  /** Remembers a record this process wrote. */
  add({ path, ...entry }: PackPlace): void {
    this.#put(entry, this.#packOf(path));
  }

  /** Forgets a record that turned out not to be what its name says. */
  forget(name: string): void {
    this.#rows.delete(name);
  }

  /** Scans what is new in the folder and forgets packs that are gone. */
  refresh(): void {
    this.#isFilled = true;
    const paths = packPaths(this.#folder);
    const present = new Set(paths);
    for (const path of this.#scannedTo.keys()) if (!present.has(path)) this.#drop(path);
    for (const path of paths) this.#scan(path);
  }

  #scan(path: string): void {
    const fd = openIfThere(this.#disk, path);
    if (fd === undefined) {
      this.#drop(path);
      return;
    }
    try {
      const scan = scanPack(this.#disk, fd, this.#scannedTo.get(path));
      const pack = this.#packOf(path);
      for (const entry of scan.entries) this.#put(entry, pack);
      this.#scannedTo.set(path, scan.end);
    } finally {
      this.#disk.close(fd);
    }
  }

  #put({ name, offset, length }: PackEntry, pack: number): void {
    const row = this.#rows.get(name) ?? this.#lastRow + 1;
    this.#lastRow = Math.max(this.#lastRow, row);
    this.#offsets.set(row, offset);
    this.#lengths.set(row, length);
    this.#packs.set(row, pack);
    this.#rows.set(name, row);
  }

  /** The number of a pack; one that was written to last is found first. */
  #packOf(path: string): number {
    const known = this.#paths.lastIndexOf(path);
    return known >= 0 ? known : this.#paths.push(path) - 1;
  }

  #drop(path: string): void {
    this.#scannedTo.delete(path);
    const pack = this.#paths.lastIndexOf(path);
    for (const [name, row] of this.#rows)
      if (this.#packs.get(row) === pack) this.#rows.delete(name);
  }
}
