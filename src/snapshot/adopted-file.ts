import type { LeafCapture } from "./leaf-capture.ts";
import type { TreeEntry } from "./tree.ts";

/** A file that was kept somewhere else; without content and target nothing was there. */
export interface AdoptedFile {
  readonly content?: Uint8Array;
  /** Where it led, if it was a link. */
  readonly target?: string;
  readonly mode?: number;
}

/** The entry of such a file, its content staged; undefined where nothing was there. */
export function adoptedEntry(
  capture: LeafCapture,
  { content, target, mode = 0o644 }: AdoptedFile,
): TreeEntry | undefined {
  if (target !== undefined) return { kind: "link", target };
  if (content === undefined) return undefined;
  return { kind: "file", mode, size: content.length, blob: capture.content(content) };
}
