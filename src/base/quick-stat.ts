import { closeSync, fstatSync, openSync, statSync } from "node:fs";

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

/** Node's calls below `statSync` and `fstatSync`: the fields of a `stat` as one row of numbers. */
type Call<T> = (of: T, big: false, request: undefined, context: object) => unknown;

interface Calls {
  readonly stat: Call<string>;
  readonly fstat: Call<number>;
}

interface Bindings {
  binding(name: "fs"): Partial<Calls>;
}

const fileKinds = 0o170000;
const regularFile = 0o100000;
/** So many are asked the usual way first: to prove the other one costs more than they do. */
const usualCalls = 32;
const nothing = {};
let asked = 0;
let calls: Calls | undefined;

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

/** The same of an open file; throws where that fails. */
export function quickOpenStat(fd: number): QuickStat {
  const row = count()?.fstat(fd, false, undefined, nothing);
  if (row instanceof Float64Array) return statOf(row);
  const stat = fstatSync(fd);
  return { isFile: stat.isFile(), sizeBytes: stat.size, modifiedMs: stat.mtimeMs };
}

/** The calls to use now. */
function count(): Calls | undefined {
  asked += 1;
  if (asked === usualCalls) calls = provenCalls();
  return calls;
}

function asking<T>(
  path: string,
  read: (row: Float64Array) => T,
  slow: (path: string) => T | undefined,
): T | undefined {
  const quick = count();
  try {
    // Below Node's own checks a NUL would end the path.
    if (quick === undefined || path.includes("\0")) return slow(path);
    const row = quick.stat(path, false, undefined, nothing);
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

/** Node versions these calls were tried with: one that takes them otherwise would end the process. */
const triedVersions = /^v20\.(?:19|20)\./;

/** The calls, if they say of this program what Node says. */
function provenCalls(): Calls | undefined {
  if (process.platform === "win32" || !triedVersions.test(process.version)) return undefined;
  let fd: number | undefined;
  try {
    const { stat, fstat } = (process as unknown as Bindings).binding("fs");
    if (stat === undefined || fstat === undefined) return undefined;
    const expected = slowIdentity(process.execPath);
    fd = openSync(process.execPath, "r");
    const rows = [
      stat(process.execPath, false, undefined, nothing),
      fstat(fd, false, undefined, nothing),
    ];
    return rows.every((row) => isSame(row, expected)) ? { stat, fstat } : undefined;
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

function isSame(row: unknown, expected: QuickIdentity | undefined): boolean {
  if (expected === undefined || !(row instanceof Float64Array)) return false;
  const found = identityOf(row);
  return (
    found.isFile === expected.isFile &&
    found.sizeBytes === expected.sizeBytes &&
    found.modifiedMs === expected.modifiedMs &&
    found.bornMs === expected.bornMs &&
    found.inode === expected.inode
  );
}
