import { atomicWrite } from "../../base/atomic-write.ts";
import { disk } from "../../base/disk.ts";
import type { Environment } from "../../base/env.ts";
import { limits } from "../../base/limits.ts";
import { allCounted } from "../../model/usage-scan.ts";
import { UsageTable } from "../../model/usage-table.ts";
import type { Home } from "../../store/home.ts";
import { ownAgent } from "../../store/own-agent.ts";
import { cachePieces, type KnownEnd, type KnownFile, type UsageCache } from "./cache-file.ts";
import { cachePath } from "./cache-path.ts";
import type { Copies } from "./copied-files.ts";
import type { CountedAgents } from "./counted-agents.ts";
import { markCopies } from "./merge.ts";
import { isContinued, isLineFile, type ProvenEnd, type ScanTask, scanOther } from "./scan.ts";
import { scanShared, shareTasks } from "./scan-shared.ts";
import type { UsageFile } from "./source.ts";
import type { Helper } from "./worker.ts";

/** What bringing the rows up to date needs to know. */
export interface BringUpOptions {
  readonly env: Environment;
  readonly agents: CountedAgents;
  readonly home: Home;
  readonly cache: UsageCache | undefined;
  readonly copies: Copies;
  /** A second thread, where one was started before it was known how much there is. */
  readonly helper?: Helper | undefined;
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
  readonly parts: readonly Part[];
}

interface Part {
  readonly table: UsageTable;
  readonly first: number;
  readonly count: number;
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
    const imported = file.agent === ownAgent ? options.copies.imports.get(file.session) : undefined;
    // The journal reports an import when it is done: a file that was scanned before is scanned anew.
    const isTold = imported === undefined || entry?.end.facts.imported !== undefined;
    const told = imported === undefined ? {} : { imported };
    if (cache !== undefined && entry !== undefined && end !== undefined && isTold) {
      // What could not be read may be readable now, and stat does not tell.
      if (isUnchanged(entry.file, file) && entry.end.uncounted.unreadable === 0) {
        const { first, count } = entry;
        pieces.push({
          file,
          end: { ...end, ...entry.end },
          parts: [{ table: cache.table, first, count }],
        });
        continue;
      }
      if (isLineFile(file, options.agents) && isGrown(entry.file, file) && proves(file, end)) {
        tasks.push({ file, from: { ...end, ...entry.end }, before: entry, ...told });
        continue;
      }
    }
    const skipBytes = options.copies.files.get(file.path);
    tasks.push({ file, ...told, ...(skipBytes !== undefined && { skipBytes }) });
  }
  const done = await scanAll(tasks, options);
  for (const [index, task] of tasks.entries()) {
    const found = done.get(index);
    if (found === undefined) {
      // Kept without rows, so that the report can tell of it.
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

type Found = Part & { readonly end: ProvenEnd };

/** Scans on this thread, and on a second one where there is much. */
async function scanAll(
  tasks: readonly ScanTask[],
  { env, agents, onProgress, helper: started }: BringUpOptions,
): Promise<ReadonlyMap<number, Found>> {
  const done = new Map<number, Found>();
  const numbered = tasks.map((task, index) => ({ task, index }));
  const totalBytes = tasks.reduce((sum, task) => sum + bytesOf(task), 0);
  let doneBytes = 0;
  const tell = (task: ScanTask): void => {
    doneBytes += bytesOf(task);
    onProgress?.(doneBytes, totalBytes);
  };
  const groups = groupsOf(numbered.filter(({ task }) => isLineFile(task.file, agents)));
  const scan = async (helper: Helper | undefined): Promise<void> => {
    const left = groups.map((group) => group.filter(({ index }) => !done.has(index)));
    const shared = shareTasks(left.map((group) => group.map(({ task }) => task)));
    const helped = helper?.scan(shared);
    for (const result of [scanShared(shared, agents, { onTask: tell }), await helped]) {
      for (const { group, task, ...found } of result?.ends ?? []) {
        done.set(left[group]![task]!.index, { ...found, table: result!.table });
      }
    }
    // The other thread died: what it had taken is scanned here.
    if (helped !== undefined && (await helped) === undefined) await scan(undefined);
  };
  const isMuch = totalBytes > limits.usageSharedBytes;
  if (!isMuch) started?.dismiss();
  await scan(isMuch ? (started ?? (await import("./worker.ts")).startHelper()) : undefined);
  const table = new UsageTable();
  for (const { task, index } of numbered) {
    if (isLineFile(task.file, agents)) continue;
    const first = table.length;
    try {
      const end = await scanOther(task.file, { table, env }, agents);
      done.set(index, { end, table, first, count: table.length - first });
    } catch {
      table.drop(table.length - first);
    }
    tell(task);
  }
  return done;
}

interface NumberedTask {
  readonly task: ScanTask;
  readonly index: number;
}

/** Tasks by agent, the agent with most bytes first. */
function groupsOf(tasks: readonly NumberedTask[]): readonly (readonly NumberedTask[])[] {
  const byAgent = new Map<string, { bytes: number; readonly tasks: NumberedTask[] }>();
  for (const each of tasks) {
    const { agent } = each.task.file;
    const group = byAgent.get(agent) ?? { bytes: 0, tasks: [] };
    byAgent.set(agent, group);
    group.bytes += bytesOf(each.task);
    group.tasks.push(each);
  }
  const groups = [...byAgent.values()].sort((a, b) => b.bytes - a.bytes);
  return groups.map((group) => group.tasks.sort((a, b) => bytesOf(b.task) - bytesOf(a.task)));
}

/** One table, its files in the order of their age, whatever order they were scanned in. */
function assemble(
  pieces: readonly Piece[],
  { home, agents }: BringUpOptions,
): Pick<BroughtUp, "table" | "files"> {
  const sorted = pieces.toSorted(
    (a, b) => begunMs(a) - begunMs(b) || (nameOf(a.file) < nameOf(b.file) ? -1 : 1),
  );
  const { table, firsts } = layOut(pieces);
  const files: KnownFile[] = [];
  const ends: KnownEnd[] = [];
  for (const piece of sorted) {
    const { file, end, parts } = piece;
    const count = parts.reduce((sum, part) => sum + part.count, 0);
    const { facts, uncounted, offset, tailRows, carry, proof } = end;
    files.push({ file, end: { facts, uncounted }, first: firsts.get(piece) ?? 0, count });
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
  keep(home, cachePieces(table, files, ends, agents), table.length);
  return { table, files };
}

/** Puts the rows of all pieces into one table, and says where; rows that lie side by side move together. */
function layOut(pieces: readonly Piece[]): {
  readonly table: UsageTable;
  readonly firsts: ReadonlyMap<Piece, number>;
} {
  const table = new UsageTable();
  const firsts = new Map<Piece, number>();
  const whole = new Map<UsageTable, { readonly piece: Piece; readonly part: Part }[]>();
  for (const piece of pieces) {
    const [part, ...more] = piece.parts;
    if (part === undefined) continue;
    const others = whole.get(part.table);
    if (more.length > 0) {
      firsts.set(piece, table.length);
      for (const each of piece.parts) table.append(each.table, each.first, each.count);
    } else if (others === undefined) whole.set(part.table, [{ piece, part }]);
    else others.push({ piece, part });
  }
  for (const [from, placed] of whole) {
    placed.sort((a, b) => a.part.first - b.part.first);
    let [first, count] = [0, 0];
    for (const { piece, part } of placed) {
      if (part.first !== first + count) {
        table.append(from, first, count);
        [first, count] = [part.first, 0];
      }
      firsts.set(piece, table.length + count);
      count += part.count;
    }
    table.append(from, first, count);
  }
  return { table, firsts };
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

/** Whether a file is as it was, as far as stat says. */
export function isUnchanged(before: UsageFile, now: UsageFile): boolean {
  return (
    before.sizeBytes === now.sizeBytes &&
    before.modifiedMs === now.modifiedMs &&
    before.inode === now.inode
  );
}

function isGrown(before: UsageFile, now: UsageFile): boolean {
  return before.inode === now.inode && now.sizeBytes > before.sizeBytes;
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
