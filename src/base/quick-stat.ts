import { statSync } from "node:fs";

/** What a list and a sweep ask of a file. */
export interface QuickStat {
  readonly isFile: boolean;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
}

/** The same with what tells a file from another one at its path. */
export interface QuickIdentity extends QuickStat {
  readonly bornMs: number;
  readonly inode: number;
}

/** Node's call below `statSync`: the fields of a `stat` as one row of numbers. */
type Call = (path: string, big: false, request: undefined, context: object) => unknown;

interface Bindings {
  binding(name: "fs"): { readonly stat?: Call };
}

const fileKinds = 0o170000;
const regularFile = 0o100000;
/** So many are asked the usual way first: to prove the other one costs more than they do. */
const usualCalls = 32;
const nothing = {};
let asked = 0;
let call: Call | undefined;

/**
 * Size and time of what lies at a path, or undefined. Of thousands of files `statSync` takes most of its time
 * to make dates nobody asks for; where the call below it is as it is known to be, that is used.
 */
export function quickStat(path: string): QuickStat | undefined {
  return asking(path, statOf, slowStat);
}

/** The same, and what tells whether the file at the path is still the one it was. */
export function quickIdentity(path: string): QuickIdentity | undefined {
  return asking(path, identityOf, slowIdentity);
}

function asking<T>(
  path: string,
  read: (row: Float64Array) => T,
  slow: (path: string) => T | undefined,
): T | undefined {
  asked += 1;
  if (asked === usualCalls) call = provenCall();
  try {
    // Below Node's own checks a NUL would end the path.
    if (call === undefined || path.includes("\0")) return slow(path);
    const row = call(path, false, undefined, nothing);
    return row instanceof Float64Array ? read(row) : undefined;
  } catch {
    return undefined;
  }
}

function slowStat(path: string): QuickStat | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat && { isFile: stat.isFile(), sizeBytes: stat.size, modifiedMs: stat.mtimeMs };
}

function slowIdentity(path: string): QuickIdentity | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  const { size: sizeBytes, mtimeMs: modifiedMs, birthtimeMs: bornMs, ino: inode } = stat;
  return { isFile: stat.isFile(), sizeBytes, modifiedMs, bornMs, inode };
}

function statOf(row: Float64Array): QuickStat {
  const isFile = (row[1]! & fileKinds) === regularFile;
  return { isFile, sizeBytes: row[8]!, modifiedMs: row[12]! * 1000 + row[13]! / 1e6 };
}

function identityOf(row: Float64Array): QuickIdentity {
  const isFile = (row[1]! & fileKinds) === regularFile;
  const modifiedMs = row[12]! * 1000 + row[13]! / 1e6;
  const bornMs = row[16]! * 1000 + row[17]! / 1e6;
  return { isFile, sizeBytes: row[8]!, modifiedMs, bornMs, inode: row[7]! };
}

/** The call, if it says of this program what `statSync` says. */
function provenCall(): Call | undefined {
  // What another Node does with such a call nobody has tried.
  if (process.platform === "win32" || !process.version.startsWith("v20.")) return undefined;
  try {
    const { stat } = (process as unknown as Bindings).binding("fs");
    if (stat === undefined) return undefined;
    const expected = slowIdentity(process.execPath);
    const row = stat(process.execPath, false, undefined, nothing);
    if (expected === undefined || !(row instanceof Float64Array)) return undefined;
    const found = identityOf(row);
    const isSame =
      found.isFile === expected.isFile &&
      found.sizeBytes === expected.sizeBytes &&
      found.modifiedMs === expected.modifiedMs &&
      found.bornMs === expected.bornMs &&
      found.inode === expected.inode;
    return isSame ? stat : undefined;
  } catch {
    return undefined;
  }
}
