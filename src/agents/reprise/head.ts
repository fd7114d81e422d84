import { folderExists } from "../../base/folders.ts";
import type { SessionHead } from "../../model/head.ts";
import { type Opening, opened } from "../../model/opening.ts";
import { readHead, readSessionStart } from "../../store/head.ts";
import type { SessionRef } from "../contract.ts";
import { headOfFile, openingOfFile } from "../session-file.ts";

/** What a native session's first and last bytes tell. */
export function head(ref: SessionRef): SessionHead | undefined {
  const read = readHead(ref);
  if (read.problem !== undefined) return headOfFile(ref, () => read);
  return read.cwd === undefined ? read : { ...read, cwdExists: folderExists(read.cwd) };
}

/** What its first bytes alone tell. */
export function opening(ref: SessionRef): Opening | undefined {
  return openingOfFile(ref, (fd) => {
    const start = readSessionStart(fd, ref.sizeBytes);
    return opened(ref.session, { cwd: start?.cwd, aside: start?.aside });
  });
}
