import { readdirSync } from "node:fs";
import { join } from "node:path";
import { withRoom } from "../base/descriptors.ts";
import type { Disk } from "../base/disk.ts";
import { errnoOf } from "../base/errors.ts";
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

/** Knows where each blob of a folder of packs lies, by scanning each byte of a pack's headers once. */
export class PackIndex {
  readonly #folder: string;
  readonly #disk: Disk;
  readonly #places = new Map<string, PackPlace>();
  readonly #scannedTo = new Map<string, number>();
  #isFilled = false;

  constructor(folder: string, disk: Disk) {
    this.#folder = folder;
    this.#disk = disk;
  }

  /** The place as known; scans the folder only the first time, so it may miss what others wrote since. */
  known(name: string): PackPlace | undefined {
    if (!this.#isFilled) this.refresh();
    return this.#places.get(name);
  }

  /** Remembers a record this process wrote. */
  add(place: PackPlace): void {
    this.#places.set(place.name, place);
  }

  /** Forgets a record that turned out not to be what its name says. */
  forget(name: string): void {
    this.#places.delete(name);
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
      for (const entry of scan.entries) this.#places.set(entry.name, { ...entry, path });
      this.#scannedTo.set(path, scan.end);
    } finally {
      this.#disk.close(fd);
    }
  }

  #drop(path: string): void {
    this.#scannedTo.delete(path);
    for (const [name, place] of this.#places) if (place.path === path) this.#places.delete(name);
  }
}
