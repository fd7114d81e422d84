import { createHash } from "node:crypto";
import { statOf } from "../base/folders.ts";
import { limits } from "../base/limits.ts";
import { readRegular } from "../base/open-file.ts";
import { readGit } from "../store/project.ts";
import type { Evidence, MemoryEntry } from "./entry.ts";

/** Whether something that an entry rests on has changed since, or is gone. */
export function isStale({ evidence }: Pick<MemoryEntry, "evidence">): boolean {
  return evidence.some(isChanged);
}

/** Whether a piece of evidence no longer says what it said. Sessions are append-only: an event never changes. */
function isChanged(evidence: Evidence): boolean {
  if (evidence.kind === "file") return fileSum(evidence.path) !== evidence.sha256;
  if (evidence.kind !== "commit" || evidence.folder === undefined) return false;
  const git = readGit(evidence.folder);
  return git?.commit !== undefined && git.commit !== evidence.commit;
}

/** SHA-256 of a file's bytes; undefined if it cannot be read or is larger than evidence may be. */
export function fileSum(path: string): string | undefined {
  const stat = statOf(path);
  if (!stat?.isFile() || stat.size > limits.memoryEvidenceBytes) return undefined;
  try {
    return createHash("sha256").update(readRegular(path)).digest("hex");
  } catch {
    return undefined;
  }
}
