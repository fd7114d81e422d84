import { type FileState, textOf } from "../../../catalog/diff/files-at.ts";
import { mergeThree } from "../../../catalog/diff/merge-three.ts";
import type { AdoptedFile } from "../../../snapshot/adopted-file.ts";
import type { LeftPath } from "../../../snapshot/plan.ts";
import type { CalledFile } from "./call.ts";

/** Files without what a call did to them. */
export interface WithoutCall {
  readonly files: ReadonlyMap<string, AdoptedFile>;
  /** Files in which both stand between marks, because what the call wrote was changed since. */
  readonly conflicts: readonly string[];
  readonly left: readonly LeftPath[];
}

/**
 * What files become without a call: as they were before it where nobody changed them since, else both changes merged. What
 * lies outside of the folder, is not known, or cannot be merged is left and named.
 */
export function withoutCall(
  called: readonly CalledFile[],
  present: (path: string) => FileState,
): WithoutCall {
  const files = new Map<string, AdoptedFile>();
  const conflicts: string[] = [];
  const left: LeftPath[] = [];
  for (const { path, before, after } of called) {
    const now = path.startsWith("/") ? ({ kind: "unknown" } as const) : present(path);
    if (before.kind === "unknown" || after.kind === "unknown") {
      left.push({ path, why: "what was there before the call is not known" });
    } else if (now.kind === "unknown" || now.kind === "unreadable" || now.kind === "folder") {
      left.push({ path, why: "it is not a file of this folder that can be read" });
    } else if (isSame(now, after)) files.set(path, adopted(before, now));
    else if (!isSame(now, before)) {
      const texts = [after, now, before].map(textOf);
      const isText = texts.every((text) => text !== undefined);
      if (!isText || now.kind === "absent" || before.kind === "absent" || after.kind === "absent") {
        left.push({ path, why: "it was changed since in a way that cannot be merged" });
        continue;
      }
      const [base, ours, theirs] = texts as [string, string, string];
      const merged = mergeThree(base, [ours, theirs], ["now", "before the call"]);
      if (merged.conflicts > 0) conflicts.push(path);
      files.set(path, adopted({ kind: "file", bytes: Buffer.from(merged.text) }, now));
    }
  }
  return { files, conflicts, left };
}

/** A file to put in the place of what is there now. */
export function adopted(state: FileState, now: FileState): AdoptedFile {
  if (state.kind === "link") return { target: state.target };
  if (state.kind !== "file") return {};
  const mode = state.mode ?? (now.kind === "file" ? now.mode : undefined);
  return { content: state.bytes, ...(mode !== undefined && { mode }) };
}

function isSame(one: FileState, two: FileState): boolean {
  if (one.kind === "file" && two.kind === "file") return one.bytes.equals(two.bytes);
  if (one.kind === "link" && two.kind === "link") return one.target === two.target;
  return one.kind === two.kind;
}
