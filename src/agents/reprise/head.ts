import { folderExists } from "../../base/folders.ts";
import { readOpen } from "../../base/open-file.ts";
import type { SessionHead } from "../../model/head.ts";
import { type Opening, opened } from "../../model/opening.ts";
import { readHead, readSessionStart } from "../../store/head.ts";
import type { SessionRef } from "../contract.ts";

/** What a native session's first and last bytes tell. */
export function head(ref: SessionRef): SessionHead {
  const read = readHead(ref);
  return read.cwd === undefined ? read : { ...read, cwdExists: folderExists(read.cwd) };
}

/** What its first bytes alone tell. */
export function opening(ref: SessionRef): Opening {
  const unread = opened(ref.session);
  const read = (fd: number): Opening =>
    opened(ref.session, { cwd: readSessionStart(fd, ref.sizeBytes)?.cwd });
  return readOpen(ref.path, read, unread);
}
