import { closeSync, constants, existsSync, fchmodSync, fstatSync, openSync } from "node:fs";
import { limits } from "../../base/limits.ts";
import { pathFor } from "../file-name.ts";
import { throwIfOutOfFiles } from "../list-folder.ts";
import { lookAt } from "../stat-print.ts";

const { O_RDONLY, O_DIRECTORY = 0, O_NOFOLLOW = 0 } = constants;
const descriptors = "/proc/self/fd";
const hasDescriptors = existsSync(descriptors);
const ownerBits = 0o700;

/**
 * Reaches what lies below a folder without following a link. Each folder on the way is opened from the one above, and
 * names are looked up in what is open: a folder that is swapped for a link afterwards leads nowhere else. Where a system
 * has no names for open folders, each folder is looked at before it is gone through.
 */
export class AnchoredFolder {
  readonly #root: string;
  readonly #open = new Map<string, number>();
  readonly #modes = new Map<string, number>();

  constructor(root: string) {
    this.#root = root;
  }

  /** Where an entry can be reached; undefined if a folder above it is gone, or is not a folder. */
  place(path: string): string | undefined {
    const slash = path.lastIndexOf("/");
    const folder = path.slice(0, Math.max(0, slash));
    const name = path.slice(slash + 1);
    if (hasDescriptors) {
      const fd = this.#descriptor(folder);
      return fd === undefined ? undefined : `${descriptors}/${fd}/${name}`;
    }
    return this.#isFolder(folder) ? `${this.#root}/${path}` : undefined;
  }

  /** Lets this user write into the folder of an entry, until `close` puts the folder's mode back. */
  loosen(path: string): void {
    const folder = path.slice(0, Math.max(0, path.lastIndexOf("/")));
    const fd = this.#descriptor(folder);
    if (fd === undefined || this.#modes.has(folder)) return;
    const mode = fstatSync(fd).mode & 0o7777;
    if ((mode & ownerBits) === ownerBits) return;
    fchmodSync(fd, mode | ownerBits);
    this.#modes.set(folder, mode);
  }

  /** Sets the mode of a folder; false if there is none. */
  setMode(folder: string, mode: number): boolean {
    const fd = this.#descriptor(folder);
    if (fd === undefined) return false;
    fchmodSync(fd, mode);
    this.#modes.delete(folder);
    return true;
  }

  /** Forgets what is open: folders were made or removed. */
  renew(): void {
    for (const fd of this.#open.values()) closeSync(fd);
    this.#open.clear();
  }

  /** Puts modes back and closes all. */
  close(): void {
    this.renew();
    for (const [folder, mode] of [...this.#modes].reverse()) this.setMode(folder, mode);
    this.renew();
  }

  #descriptor(folder: string): number | undefined {
    const known = this.#open.get(folder);
    if (known !== undefined) return known;
    const place = folder === "" ? this.#root : this.place(folder);
    if (place === undefined) return undefined;
    try {
      const fd = openSync(pathFor(place), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
      // Only what is below the one that is opened now may be asked for next.
      if (this.#open.size >= limits.anchoredFolders) this.renew();
      this.#open.set(folder, fd);
      return fd;
    } catch (error) {
      throwIfOutOfFiles(error);
      return undefined;
    }
  }

  #isFolder(folder: string): boolean {
    const names = folder === "" ? [] : folder.split("/");
    return names.every((_, at) => {
      const stat = lookAt(`${this.#root}/${names.slice(0, at + 1).join("/")}`);
      return stat?.isDirectory() === true;
    });
  }
}
