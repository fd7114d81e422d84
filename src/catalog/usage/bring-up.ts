import { atomicWrite } from "../../base/atomic-write.ts";
import { disk } from "../../base/disk.ts";
import type { Environment } from "../../base/env.ts";
import { limits } from "../../base/limits.ts";
import type { Home } from "../../store/home.ts";
import { cachePieces, type KnownEnd, type KnownFile, type UsageCache } from "./cache-file.ts";
import { cachePath } from "./cache-path.ts";
import { markCopies } from "./merge.ts";
import { isContinued, isLineFile, type ProvenEnd, type ScanTask, scanOther } from "./scan.ts";
import { scanShared, type ThreadResult } from "./scan-shared.ts";
import { allCounted, type UsageFile } from "./source.ts";
import { UsageTable } from "./table.ts";

/** What bringing the rows up to date needs to know. */
export interface BringUpOptions {
  readonly env: Environment;
  readonly home: Home;
  readonly cache: UsageCache | undefined;
  /** Files we wrote as copies of other sessions, and how much of them is copy. */
  readonly copies: ReadonlyMap<string, number>;
  readonly onProgress?: (doneBytes: number, totalBytes: number) => void;
}

/** Rows up to date, and how much had to be read for it. */
export interface BroughtUp {
  readonly table: UsageTable;
  readonly files: readonly KnownFile[];
  readonly readBytes: number;
}

/** The rows of one file, wherever they are. */
interface Piece {
  readonly file: UsageFile;
  readonly end: ProvenEnd;
  /** Tables with this file's rows, in order. */
  readonly parts: readonly {
    readonly table: UsageTable;
    readonly first: number;
    readonly count: number;
  }[];
}

/** Scans what is new or grown, settles copies anew, and keeps the result for the next report. */
export async function bringUp(
  files: readonly UsageFile[],
  options: BringUpOptions,
): Promise<BroughtUp> {
  const { cache } = options;
  const ends = cache?.ends() ?? [];
  const known = new Map(
    cache?.files.map((entry, index) => [nameOf(entry.file), { entry, end: ends[index] }]),
  );
  const pieces: Piece[] = [];
  const tasks: (ScanTask & { readonly before?: KnownFile })[] = [];
  for (const file of files) {
    const { entry, end } = known.get(nameOf(file)) ?? {};
    if (cache !== undefined && entry !== undefined && end !== undefined) {
      if (isUnchanged(entry.file, file)) {
        const { first, count } = entry;
        pieces.push({
          file,
          end: { ...end, ...entry.end },
          parts: [{ table: cache.table, first, count }],
        });
        continue;
      }
      if (isGrown(entry.file, file) && proves(file, end)) {
        tasks.push({ file, from: { ...end, ...entry.end }, before: entry });
        continue;
      }
    }
    const skipBytes = options.copies.get(file.path);
    tasks.push({ file, ...(skipBytes !== undefined && { skipBytes }) });
  }
  const done = await scanAll(tasks, options);
  for (const [index, task] of tasks.entries()) {
    const found = done.get(index);
    if (found === undefined) {
      // Kept without rows, so that it is tried again only when it has changed.
      pieces.push({ file: task.file, end: unreadable, parts: [] });
      continue;
    }
    const { before, from } = task;
    const kept = before &&
      cache && {
        table: cache.table,
        first: before.first,
        count: before.count - (from?.tailRows ?? 0),
      };
    pieces.push({ file: task.file, end: found.end, parts: [...(kept ? [kept] : []), found] });
  }
  const readBytes = tasks.reduce((sum, task) => sum + bytesOf(task), 0);
  return { ...assemble(pieces, options), readBytes };
}

const unreadable: ProvenEnd = {
  offset: 0,
  tailRows: 0,
  facts: {},
  uncounted: { ...allCounted, unreadable: 1 },
  proof: "",
};

type Found = {
  readonly end: ProvenEnd;
  readonly table: UsageTable;
  readonly first: number;
  readonly count: number;
};

/** Scans on this thread, and on a second one where there is much. */
async function scanAll(
  tasks: readonly ScanTask[],
  { env, onProgress }: BringUpOptions,
): Promise<ReadonlyMap<number, Found>> {
  const done = new Map<number, Found>();
  const numbered = tasks.map((task, index) => ({ task, index }));
  // The longest first, so that no thread is left with a long one at the end.
  const lines = numbered
    .filter(({ task }) => isLineFile(task.file))
    .sort((a, b) => bytesOf(b.task) - bytesOf(a.task));
  const totalBytes = tasks.reduce((sum, task) => sum + bytesOf(task), 0);
  let doneBytes = 0;
  const tell = (task: ScanTask): void => {
    doneBytes += bytesOf(task);
    onProgress?.(doneBytes, totalBytes);
  };
  const isMuch = totalBytes > limits.usageSharedBytes && lines.length > 1;
  const shared = { tasks: lines.map(({ task }) => task), taken: new SharedArrayBuffer(4) };
  const helper = isMuch ? (await import("./worker.ts")).scanInWorker(shared) : undefined;
  const results: (ThreadResult | undefined)[] = [scanShared(shared, tell), await helper];
  const take = (result: ThreadResult | undefined): void => {
    for (const { task, ...found } of result?.ends ?? []) {
      done.set(lines[task]!.index, { ...found, table: result!.table });
    }
  };
  for (const result of results) take(result);
  if (helper !== undefined && results[1] === undefined) {
    // The thread died: what it had taken is scanned here.
    const left = lines.filter(({ index }) => !done.has(index));
    const again = scanShared({
      tasks: left.map(({ task }) => task),
      taken: new SharedArrayBuffer(4),
    });
    for (const { task, ...found } of again.ends) {
      done.set(left[task]!.index, { ...found, table: again.table });
    }
  }
  const table = new UsageTable();
  for (const { task, index } of numbered) {
    if (isLineFile(task.file)) continue;
    const first = table.length;
    try {
      const end = await scanOther(task.file, { table, env });
      done.set(index, { end, table, first, count: table.length - first });
    } catch {
      table.drop(table.length - first);
    }
    tell(task);
  }
  return done;
}

/** One table in the order of the files' age, whatever order they were scanned in. */
function assemble(
  pieces: readonly Piece[],
  { home }: BringUpOptions,
): Pick<BroughtUp, "table" | "files"> {
  const sorted = pieces.toSorted(
    (a, b) => begunMs(a) - begunMs(b) || (nameOf(a.file) < nameOf(b.file) ? -1 : 1),
  );
  const table = new UsageTable();
  const files: KnownFile[] = [];
  const ends: KnownEnd[] = [];
  for (const { file, end, parts } of sorted) {
    const first = table.length;
    for (const part of parts) table.append(part.table, part.first, part.count);
    const { facts, uncounted, offset, tailRows, carry, proof } = end;
    files.push({ file, end: { facts, uncounted }, first, count: table.length - first });
    ends.push({ offset, tailRows, proof, ...(carry !== undefined && { carry }) });
  }
  const rows = files.map(({ file, end, first, count }) => ({
    agent: file.agent,
    session: file.session,
    facts: end.facts,
    first,
    count,
  }));
  markCopies(table, rows);
  keep(home, cachePieces(table, files, ends), table.length);
  return { table, files };
}

function begunMs({ file, end }: Piece): number {
  return end.facts.begunMs ?? file.bornMs;
}

/** A cache that cannot be written costs time, not an answer. */
function keep(home: Home, pieces: readonly Uint8Array[], rows: number): void {
  if (rows > limits.usageRows) return;
  try {
    disk.makeDirectory(home.derived);
    atomicWrite(cachePath(home), pieces, { sync: false });
  } catch {
    return;
  }
}

/** What names a file, or a part of one. */
export function nameOf(file: UsageFile): string {
  return `${file.agent}\n${file.path}\n${file.part ?? ""}`;
}

/** Whether a file is as it was, as far as stat tells. */
export function isUnchanged(before: UsageFile, now: UsageFile): boolean {
  return (
    before.sizeBytes === now.sizeBytes &&
    before.modifiedMs === now.modifiedMs &&
    before.inode === now.inode
  );
}

function isGrown(before: UsageFile, now: UsageFile): boolean {
  return isLineFile(now) && before.inode === now.inode && now.sizeBytes > before.sizeBytes;
}

function proves(file: UsageFile, end: KnownEnd): boolean {
  try {
    return isContinued(file.path, end);
  } catch {
    return false;
  }
}

function bytesOf({ file, from }: ScanTask): number {
  return file.sizeBytes - (from?.offset ?? 0);
}
