import type { SessionRef } from "../../agents/contract.ts";
import { statOf } from "../../base/folders.ts";
import type { UsageFile } from "./source.ts";

/** A file with what stat says of it; undefined where it is gone, no file, or not ours to look at. */
export function statted(agent: string, path: string, session: string): UsageFile | undefined {
  const stat = statOf(path);
  if (!stat?.isFile()) return undefined;
  const { size: sizeBytes, mtimeMs: modifiedMs, birthtimeMs: bornMs, ino: inode } = stat;
  return { agent, path, session, sizeBytes, modifiedMs, bornMs, inode };
}

/** Files as an agent's own listing names them; a part of a file has the size and time of the part. */
export function* refFiles(refs: Iterable<SessionRef>): Generator<UsageFile> {
  for (const ref of refs) {
    const file = statted(ref.agent, ref.path, ref.session);
    if (file === undefined) continue;
    const { sizeBytes, modifiedMs, part, root } = ref;
    const place = root === undefined ? file : { ...file, root };
    yield part === undefined ? place : { ...place, sizeBytes, modifiedMs, part };
  }
}
