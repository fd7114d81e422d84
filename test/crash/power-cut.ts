import { fstatSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Disk, disk, type Synced } from "../../src/base/disk.ts";
import { readFully } from "../../src/base/read-fully.ts";
import type { Random } from "../random.mjs";

/** What the end of the power does to the operation it falls on, and to all later ones. */
export class PowerCut extends Error {
  constructor() {
    super("the power was cut");
  }
}

/** What becomes of data that was written and not synced. */
export type Unsynced = "dropped" | "nul-filled" | "some pages";

const pageBytes = 4096;
const leases = "writers";

interface Content {
  readonly bytes: Buffer;
  readonly version: number;
}

/** A folder's names: the number of each file, or that it is a folder. */
type Names = ReadonlyMap<string, number | "folder">;

/**
 * A disk over a real folder that remembers what was synced: of each file its content, of each folder its
 * names. At a chosen operation the power goes; from then on every operation fails, and `image` lays out
 * what a machine could find at its next start. What is there at the beginning counts as durable.
 */
export class PowerCutDisk implements Disk {
  readonly #root: string;
  readonly #random: Random;
  readonly #cutAt: number;
  readonly #durableContent = new Map<number, Content>();
  readonly #durableNames = new Map<string, Names>();
  /** Our own numbers for inodes: the system gives an inode again as soon as its file is gone. */
  readonly #numbers = new Map<number, number>();
  #versions = 0;
  operations = 0;
  isCut = false;

  constructor(root: string, options: { readonly random: Random; readonly cutAt: number }) {
    this.#root = root;
    this.#random = options.random;
    this.#cutAt = options.cutAt;
    this.#adopt(root);
  }

  openAppend(path: string, options?: { readonly create?: boolean }): number {
    return this.#opened(options, () => disk.openAppend(path, options));
  }

  openThere(path: string): number {
    return disk.openThere(path);
  }

  openRead(path: string): number {
    return disk.openRead(path);
  }

  openUpdate(path: string): number {
    return disk.openUpdate(path);
  }

  close(fd: number): void {
    disk.close(fd);
  }

  write(fd: number, bytes: Uint8Array): number {
    return this.#step(true, () => disk.write(fd, bytes));
  }

  writeAt(fd: number, bytes: Uint8Array, position: number): number {
    return this.#step(true, () => disk.writeAt(fd, bytes, position));
  }

  read(fd: number, into: Uint8Array, position: number): number {
    return disk.read(fd, into, position);
  }

  sizeOf(fd: number): ReturnType<Disk["sizeOf"]> {
    return disk.sizeOf(fd);
  }

  truncate(fd: number, size: number): void {
    this.#step(true, () => disk.truncate(fd, size));
  }

  /** Covers what was written before it began; what comes while it runs is not promised. */
  sync(fd: number, done: Synced): void {
    const content = this.#contentOf(fd);
    setImmediate(() => {
      try {
        this.#step(true, () => this.#synced(fd, content));
      } catch (error) {
        done(error);
        return;
      }
      done();
    });
  }

  syncNow(fd: number): void {
    this.#step(true, () => this.#synced(fd, this.#contentOf(fd)));
  }

  syncDirectory(path: string): void {
    this.#step(true, () => this.#durableNames.set(path, this.#namesOf(path)));
  }

  syncDirectoryLater(path: string, done: Synced): void {
    const names = this.#namesOf(path);
    setImmediate(() => {
      try {
        this.#step(true, () => this.#durableNames.set(path, names));
      } catch (error) {
        done(error);
        return;
      }
      done();
    });
  }

  link(from: string, to: string): void {
    this.#step(true, () => disk.link(from, to));
  }

  rename(from: string, to: string): void {
    this.#step(true, () => disk.rename(from, to));
  }

  remove(path: string): void {
    this.#step(true, () => disk.remove(path));
  }

  makeDirectory(path: string): void {
    this.#step(true, () => disk.makeDirectory(path));
  }

  /** Ends the power now, whatever was going on. */
  cut(): void {
    this.isCut = true;
  }

  /** Lays out in another folder what is found after the cut. Leases die with the machine. */
  image(target: string, options: { readonly random: Random; readonly unsynced: Unsynced }): void {
    const kept = this.#keptNames(options.random);
    const visit = (from: string, to: string): void => {
      mkdirSync(to, { recursive: true });
      for (const [name, what] of kept.get(from) ?? []) {
        const path = join(from, name);
        if (what !== "folder") writeFileSync(join(to, name), this.#contentAfter(what, options));
        else if (name !== leases) visit(path, join(to, name));
      }
    };
    visit(this.#root, target);
  }

  #opened(options: { readonly create?: boolean } | undefined, open: () => number): number {
    const isNew = options?.create === true;
    return this.#step(isNew, () => {
      const fd = open();
      if (isNew) this.#number(fstatSync(fd).ino, { anew: true });
      return fd;
    });
  }

  #step<T>(isChange: boolean, act: () => T): T {
    if (!isChange) return act();
    if (this.isCut) throw new PowerCut();
    this.operations += 1;
    if (this.operations < this.#cutAt) return act();
    this.isCut = true;
    // The operation may have come through without anybody hearing of it.
    if (this.#random.below(2) === 0) act();
    throw new PowerCut();
  }

  #contentOf(fd: number): Content {
    this.#versions += 1;
    const { size } = fstatSync(fd);
    return { bytes: readFully(fd, { from: 0, length: size }), version: this.#versions };
  }

  #synced(fd: number, content: Content): void {
    const number = this.#number(fstatSync(fd).ino);
    if (content.version > (this.#durableContent.get(number)?.version ?? 0)) {
      this.#durableContent.set(number, content);
    }
  }

  #adopt(folder: string): void {
    const names = this.#namesOf(folder);
    this.#durableNames.set(folder, names);
    for (const [name, what] of names) {
      const path = join(folder, name);
      if (what === "folder") this.#adopt(path);
      else this.#durableContent.set(what, { bytes: readFileSync(path), version: 0 });
    }
  }

  /** Of each folder the names that are there: those that were synced, and any of the later changes. */
  #keptNames(random: Random): ReadonlyMap<string, Names> {
    const kept = new Map<string, Map<string, number | "folder">>();
    const living = new Set<number>();
    for (const folder of foldersIn(this.#root)) {
      const durable = this.#durableNames.get(folder) ?? new Map();
      const live = this.#namesOf(folder);
      for (const what of live.values()) if (what !== "folder") living.add(what);
      const names = new Map<string, number | "folder">();
      for (const name of new Set([...durable.keys(), ...live.keys()])) {
        const [before, after] = [durable.get(name), live.get(name)];
        const what = before === after || random.below(2) === 0 ? after : before;
        if (what !== undefined) names.set(name, what);
      }
      kept.set(folder, names);
    }
    // A rename moves a file or does not: what had a name on the disk and still has one is not lost.
    const found = new Set([...kept.values()].flatMap((names) => [...names.values()]));
    for (const [folder, names] of this.#durableNames) {
      for (const [name, what] of names) {
        if (what === "folder" || found.has(what) || !living.has(what)) continue;
        if (!kept.get(folder)?.has(name)) kept.get(folder)?.set(name, what);
      }
    }
    return kept;
  }

  #contentAfter(
    file: number,
    { random, unsynced }: { readonly random: Random; readonly unsynced: Unsynced },
  ): Buffer {
    const durable = this.#durableContent.get(file)?.bytes ?? Buffer.alloc(0);
    if (unsynced === "dropped") return durable;
    const live = this.#liveContent(file) ?? durable;
    if (unsynced === "nul-filled") {
      return Buffer.concat([durable, Buffer.alloc(Math.max(0, live.length - durable.length))]);
    }
    const [least, most] = [durable.length, live.length].sort((a, b) => a - b) as [number, number];
    const size = random.pick([least, most, least + random.below(most - least + 1)]);
    const content = Buffer.alloc(size);
    for (let at = 0; at < size; at += pageBytes) {
      const source = random.below(2) === 0 ? durable : live;
      content.set(source.subarray(at, Math.min(at + pageBytes, size)), at);
    }
    return content;
  }

  #liveContent(file: number): Buffer | undefined {
    for (const folder of foldersIn(this.#root)) {
      for (const [name, what] of this.#namesOf(folder)) {
        if (what === file) return readFileSync(join(folder, name));
      }
    }
    return undefined;
  }

  #number(inode: number, options: { readonly anew?: boolean } = {}): number {
    const known = options.anew ? undefined : this.#numbers.get(inode);
    if (known !== undefined) return known;
    this.#versions += 1;
    this.#numbers.set(inode, this.#versions);
    return this.#versions;
  }

  #namesOf(folder: string): Names {
    const names = new Map<string, number | "folder">();
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const inode = statSync(join(folder, entry.name), { throwIfNoEntry: false })?.ino;
      if (entry.isDirectory()) names.set(entry.name, "folder");
      else if (inode !== undefined) names.set(entry.name, this.#number(inode));
    }
    return names;
  }
}

function foldersIn(root: string): readonly string[] {
  const inner = readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== leases)
    .flatMap((entry) => foldersIn(join(root, entry.name)));
  return [root, ...inner];
}
