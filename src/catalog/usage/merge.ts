import type { SessionFacts } from "../../model/usage-scan.ts";
import { copyFlag, importedFlag, sideFlag, type UsageTable } from "../../model/usage-table.ts";
import { ownSession } from "./source.ts";

/** The rows of one file within a table. */
export interface FileRows {
  readonly agent: string;
  readonly session: string;
  readonly first: number;
  readonly count: number;
  readonly facts: SessionFacts;
}

/**
 * Marks every row that another one already says, so that a message counts once: in the order of the
 * files, the copy with most tokens stays (records of one message are written while it grows), one of
 * the main line before one of a side branch. Files come oldest first: a fork's copies are the fork's.
 */
export function markCopies(table: UsageTable, files: readonly FileRows[]): void {
  for (let row = 0; row < table.length; row += 1) table.flags[row]! &= ~copyFlag;
  markForks(table, files);
  markImports(table, files);
  const byAgent = new Map<string, FileRows[]>();
  for (const file of files) {
    const others = byAgent.get(file.agent);
    if (others === undefined) byAgent.set(file.agent, [file]);
    else others.push(file);
  }
  for (const own of byAgent.values()) settle(table, own);
}

/**
 * Keeps one row of each key. The keys are hashes already, so where a row belongs among the places follows from
 * its key; a place that another key has taken is passed by.
 */
function settle(table: UsageTable, files: readonly FileRows[]): void {
  const { keys, flags } = table;
  const rows = files.reduce((sum, { count }) => sum + count, 0);
  let places = 16;
  while (places < rows * 2) places *= 2;
  const last = places - 1;
  /** The number of a row, from one on. */
  const taken = new Int32Array(places);
  for (const { first, count } of files) {
    for (let row = first; row < first + count; row += 1) {
      const key = keys[row]!;
      if (key === 0 || (flags[row]! & copyFlag) !== 0) continue;
      let place = key & last;
      while (taken[place] !== 0 && keys[taken[place]! - 1] !== key) place = (place + 1) & last;
      const other = taken[place]! - 1;
      if (other < 0) taken[place] = row + 1;
      else if (isBetter(table, row, other)) {
        flags[other]! |= copyFlag;
        taken[place] = row + 1;
      } else flags[row]! |= copyFlag;
    }
  }
}

function isBetter(table: UsageTable, row: number, other: number): boolean {
  const [side, otherSide] = [table.flags[row]! & sideFlag, table.flags[other]! & sideFlag];
  if (side !== otherSide) return side < otherSide;
  return table.total(row) > table.total(other);
}

/** A fork that copied its base begins with the rows of the base, under other moments. */
function markForks(table: UsageTable, files: readonly FileRows[]): void {
  const bySession = new Map<string, FileRows>();
  for (const file of files) {
    const name = `${file.agent} ${file.session}`;
    if (!bySession.has(name)) bySession.set(name, file);
  }
  for (const file of files) {
    const { forkOf } = file.facts;
    const base = forkOf === undefined ? undefined : bySession.get(`${file.agent} ${forkOf}`);
    if (base === undefined || base === file) continue;
    const most = Math.min(file.count, base.count);
    for (let index = 0; index < most; index += 1) {
      if (!isSame(table, file.first + index, base.first + index)) break;
      table.flags[file.first + index]! |= copyFlag;
    }
  }
}

/** What was brought in counts where it came from, as long as that is on this machine. */
function markImports(table: UsageTable, files: readonly FileRows[]): void {
  const imports = files.filter(({ facts }) => facts.imported !== undefined);
  if (imports.length === 0) return;
  const here = new Map(
    files.map((file) => [`${file.agent} ${ownSession(file, file.facts)}`, file]),
  );
  for (const file of imports) {
    const { agent, session } = file.facts.imported!;
    const source = here.get(`${agent} ${session}`);
    if (source === undefined || source === file) continue;
    for (let row = file.first; row < file.first + file.count; row += 1) {
      if ((table.flags[row]! & importedFlag) !== 0) table.flags[row]! |= copyFlag;
    }
  }
}

function isSame(table: UsageTable, a: number, b: number): boolean {
  if (table.modelOf[a] !== table.modelOf[b]) return false;
  for (let kind = 0; kind < 6; kind += 1) {
    if (table.count(a, kind) !== table.count(b, kind)) return false;
  }
  return true;
}
