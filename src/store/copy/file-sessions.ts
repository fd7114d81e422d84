import { closeSync, fstatSync } from "node:fs";
import { basename, join } from "node:path";
import { atomicWrite } from "../../base/atomic-write.ts";
import { disk } from "../../base/disk.ts";
import { makeDurableDirectory } from "../../base/durable-directory.ts";
import { openForReading } from "../../base/open-file.ts";
import { readFully } from "../../base/read-fully.ts";
import { storeHolder } from "../../base/store-leases.ts";
import { whyRefused, writeError } from "../../base/system-error.ts";
import { newline } from "../../jsonl/line.ts";
import { linesBackward } from "../../jsonl/read-backward.ts";
import { readSessionStart } from "../head.ts";
import { fileNameOf, type Home } from "../home.ts";
import {
  filesIn,
  findSessionFile,
  refuseUsedId,
  sessionFilesIn,
  sessionFolders,
} from "../locate.ts";
import { takenId } from "../log-store.ts";
import { openBlobs } from "../open-blobs.ts";
import { projectFolder } from "../sessions.ts";
import type { RawSession, RawStore } from "./raw-store.ts";

const pieceBytes = 1024 * 1024;

/** The sessions of a store in files as bytes. */
export class FileSessions implements RawStore {
  readonly place: string;
  readonly #home: Home;

  constructor(place: string, home: Home) {
    this.place = place;
    this.#home = home;
  }

  list(): readonly RawSession[] {
    const shown = sessionFolders(this.#home).flatMap(sessionFilesIn);
    return [
      ...filesIn(this.#home.bases, ".jsonl").map((path) => this.#raw(path, true)),
      ...shown.map((path) => this.#raw(path, false)),
    ];
  }

  find(session: string): RawSession | undefined {
    const shown = findSessionFile(this.#home, session);
    const path = shown ?? findSessionFile(this.#home, session, { bases: true });
    return path === undefined ? undefined : this.#raw(path, shown === undefined);
  }

  blob(name: string): Buffer | undefined {
    return openBlobs(this.#home).stored(name);
  }

  add(session: RawSession, blobs: ReadonlyMap<string, () => Buffer>): void {
    const home = this.#home;
    const folder = session.isHidden ? home.bases : this.#folderFor(session);
    refuseUsedId(home, folder, session.session);
    for (const [name, stored] of blobs) openBlobs(home).keepSync(name, stored());
    const file = join(folder, fileNameOf(session.session));
    try {
      makeDurableDirectory(folder, disk);
      if (!atomicWrite(file, session.pieces(), { publish: "exclusive" }))
        throw takenId(session.session);
    } catch (error) {
      throw writeError(error, `${file} cannot be written: ${whyRefused(error)}.`);
    }
  }

  close(): void {}

  #folderFor({ project, session }: RawSession): string {
    if (this.#home.flat) return this.#home.sessions;
    return projectFolder(this.#home, project ?? { name: session, path: `/${session}` });
  }

  #raw(path: string, isHidden: boolean): RawSession {
    const session = basename(path, ".jsonl");
    const fd = openForReading(path);
    try {
      const { size } = fstatSync(fd);
      const start = readSessionStart(fd, size);
      const sizeBytes = wholeBytes(fd, size);
      // Its writer has not finished the last line; without one, the next append mends it.
      const isTorn = sizeBytes < size && storeHolder(this.#home.leases, session) === undefined;
      const problem =
        start === undefined
          ? "its first line is not a session_start"
          : isTorn
            ? "its last line is not whole; append to it once, which mends it"
            : undefined;
      return {
        session,
        base: start?.base?.session,
        project: start?.project,
        sizeBytes,
        isHidden,
        ...(problem !== undefined && { problem }),
        pieces: () => piecesOf(path, sizeBytes),
      };
    } finally {
      closeSync(fd);
    }
  }
}

/** How many bytes of a file are whole lines. */
function wholeBytes(fd: number, size: number): number {
  if (size === 0 || readFully(fd, { from: size - 1, length: 1 })[0] === newline) return size;
  for (const line of linesBackward(fd, { end: size })) if (!line.complete) return line.offset;
  return 0;
}

function* piecesOf(path: string, sizeBytes: number): Generator<Buffer> {
  const fd = openForReading(path);
  try {
    for (let from = 0; from < sizeBytes; from += pieceBytes)
      yield readFully(fd, { from, length: Math.min(pieceBytes, sizeBytes - from) });
  } finally {
    closeSync(fd);
  }
}
