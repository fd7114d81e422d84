import {
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
} from "node:fs";

const magic = Buffer.from("d9d505f920a163d7", "hex");
/** The length of the name, its sum and the magic end a journal that names another one. */
const endBytes = 16;
/** SQLite believes no longer name. */
const longestName = 512;

/**
 * Takes the super-journal out of the copy of a rollback journal. A transaction over several databases names one
 * there, which may be any path at all, and SQLite removes that file once it has rolled the copy back. Where the
 * file is gone the transaction was finished: nothing is rolled back then, and the journal is emptied.
 */
export function forgetSuperJournal(copy: string): void {
  const fd = openSync(copy, "r+");
  try {
    const { size } = fstatSync(fd);
    const end = bytesAt(fd, size - endBytes, endBytes);
    if (end === undefined || !end.subarray(8).equals(magic)) return;
    // Not cut off: what then came last might be another such end.
    writeSync(fd, Buffer.alloc(magic.length), 0, magic.length, size - magic.length);
    const length = end.readUInt32BE(0);
    if (length === 0 || length > longestName) return;
    const name = bytesAt(fd, size - endBytes - length, length);
    if (name !== undefined && !existsSync(name.toString())) ftruncateSync(fd);
  } finally {
    closeSync(fd);
  }
}

function bytesAt(fd: number, offset: number, length: number): Buffer | undefined {
  const bytes = Buffer.alloc(length);
  if (offset < 0 || readSync(fd, bytes, 0, length, offset) < length) return undefined;
  return bytes;
}
