import { lookAt } from "./stat-print.ts";
import { folderAbove } from "./tree-paths.ts";

/** Says which folders lie in a folder, with no link on the way to them; each is looked at once, so ask for a moment only. */
export class InnerFolders {
  readonly #root: string;
  readonly #known = new Map<string, boolean>([["", true]]);

  constructor(root: string) {
    this.#root = root;
  }

  /** Whether a path is a folder, and so is all above it; what lies behind a link is not in this folder. */
  has(path: string): boolean {
    const known = this.#known.get(path);
    if (known !== undefined) return known;
    const is =
      this.has(folderAbove(path)) && lookAt(`${this.#root}/${path}`)?.isDirectory() === true;
    this.#known.set(path, is);
    return is;
  }

  /** Whether the folder of a path is one. */
  hold(path: string): boolean {
    return this.has(folderAbove(path));
  }
}
