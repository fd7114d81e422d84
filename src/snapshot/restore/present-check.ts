import type { Stats } from "node:fs";
import { blobNameOf } from "../../blobs/name.ts";
import type { LeafState } from "../folder-state.ts";
import { keptMode } from "../leaf-capture.ts";
import { LeafReader, readLink } from "../read-leaf.ts";
import { lookAt, printOf, type StatPrint, samePrint } from "../stat-print.ts";
import { type FileEntry, sameEntry, type TreeEntry } from "../tree.ts";

/**
 * Says whether an entry lies at a place, by its bytes. A file that was read once, by this check or by a capture, is
 * trusted while the disk says the same of it.
 */
export class PresentCheck {
  readonly #captured: (path: string) => LeafState | undefined;
  readonly #reader = new LeafReader();
  readonly #seen = new Map<string, { readonly print: StatPrint; readonly blob: string }>();

  constructor(captured: (path: string) => LeafState | undefined = () => undefined) {
    this.#captured = captured;
  }

  /**
   * Looks at a path once. What it returns says whether the path has an entry, or nothing where that is undefined; a folder's
   * mode and content do not count.
   */
  look(path: string, place: string | undefined): (entry: TreeEntry | undefined) => boolean {
    const stat = place === undefined ? undefined : lookAt(place);
    if (stat === undefined) return (entry) => entry === undefined;
    return (entry) => entry !== undefined && this.#has(path, place!, { stat, entry });
  }

  #has(
    path: string,
    place: string,
    { stat, entry }: { readonly stat: Stats; readonly entry: TreeEntry },
  ): boolean {
    switch (entry.kind) {
      case "folder":
        return stat.isDirectory();
      case "link":
        return stat.isSymbolicLink() && readLink(place) === entry.target;
      case "file": {
        const print = printOf(stat);
        const isLike =
          stat.isFile() && print.size === entry.size && keptMode(print.mode) === entry.mode;
        return isLike && this.#hasBytes(path, place, { entry, print });
      }
    }
  }

  #hasBytes(
    path: string,
    place: string,
    { entry, print }: { readonly entry: FileEntry; readonly print: StatPrint },
  ): boolean {
    const captured = this.#captured(path);
    if (captured !== undefined && samePrint(captured.print, print))
      return sameEntry(captured.entry, entry);
    const seen = this.#seen.get(path);
    if (seen !== undefined && samePrint(seen.print, print)) return seen.blob === entry.blob;
    const read = this.#reader.read(place, print);
    if (typeof read === "string") return false;
    const blob = blobNameOf(read.bytes);
    this.#seen.set(path, { print: read.print, blob });
    return blob === entry.blob;
  }
}
