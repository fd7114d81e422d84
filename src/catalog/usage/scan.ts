import { closeSync } from "node:fs";
import type { LinesOf } from "../../agents/usage-contract.ts";
import type { Environment } from "../../base/env.ts";
import { limits } from "../../base/limits.ts";
import { openForReading } from "../../base/open-file.ts";
import { readFully } from "../../base/read-fully.ts";
import { proofBefore } from "../../jsonl/proof.ts";
import { type LineTaker, scanOpen } from "../../jsonl/take-rows.ts";
import { allCounted, type Import, type ScanEnd } from "../../model/usage-scan.ts";
import { UsageTable } from "../../model/usage-table.ts";
import type { KnownEnd } from "./cache-file.ts";
import type { CountedAgents } from "./counted-agents.ts";
import type { UsageFile } from "./source.ts";

/** One file to scan, from where an earlier scan ended where it can be gone on with. */
export interface ScanTask {
  readonly file: UsageFile;
  readonly from?: ScanEnd;
  /** Bytes at the beginning that are a copy of another session's. */
  readonly skipBytes?: number;
  /** What a session of our own was brought in from. */
  readonly imported?: Import;
}

/** A scan's end with the proof that what was scanned is still the same. */
export type ProvenEnd = ScanEnd & Pick<KnownEnd, "proof">;

/** Whether a file is lines of JSON that any thread can scan, and that is read on where it has grown. */
export function isLineFile({ agent, path }: UsageFile, agents: CountedAgents): boolean {
  return agents.get(agent)?.usage.lines !== undefined && path.endsWith(".jsonl");
}

/** Adds the rows of a line file. */
export function scanLineFile(task: ScanTask, table: UsageTable, agents: CountedAgents): ProvenEnd {
  const { file, from, skipBytes = 0, imported } = task;
  const { session } = file;
  const { usage } = agents.get(file.agent)!;
  const takerOf = (into: UsageTable, known: Omit<LinesOf, "session">): LineTaker =>
    usage.lines!(into, { session, ...known });
  const fd = openForReading(file.path);
  try {
    const start = from ?? (skipBytes > 0 ? afterCopy(fd, skipBytes, takerOf) : undefined);
    const taker = takerOf(table, { carry: start?.carry, imported });
    const end = scanOpen(fd, { ...(start !== undefined && { from: start }), table }, taker);
    return { ...end, proof: proofBefore(fd, end.offset) };
  } finally {
    closeSync(fd);
  }
}

/** Behind what was copied: it is looked through for the session's facts, its rows are another's. */
function afterCopy(
  fd: number,
  offset: number,
  takerOf: (table: UsageTable, known: Omit<LinesOf, "session">) => LineTaker,
): ScanEnd {
  const length = Math.min(offset, limits.foreignLineBytes);
  const taker = takerOf(new UsageTable(), {});
  taker.take(readFully(fd, { from: 0, length }));
  const carry = taker.carry?.();
  const { facts } = taker;
  return {
    offset,
    tailRows: 0,
    facts,
    uncounted: allCounted,
    ...(carry !== undefined && { carry }),
  };
}

/** Whether a file still begins with what was scanned. */
export function isContinued(path: string, end: KnownEnd): boolean {
  const fd = openForReading(path);
  try {
    return end.proof !== "" && proofBefore(fd, end.offset) === end.proof;
  } finally {
    closeSync(fd);
  }
}

/** Adds the rows of what is not a plain line file: compressed, in one JSON text, in a database, in Markdown. */
export async function scanOther(
  file: UsageFile,
  options: { readonly table: UsageTable; readonly env: Environment },
  agents: CountedAgents,
): Promise<ProvenEnd> {
  const { agent, usage } = agents.get(file.agent)!;
  if (usage.whole !== undefined) return { ...(await usage.whole(file, options.table)), proof: "" };
  const { scanByReading } = await import("./read-scan.ts");
  const head = agent.head(file, options.env);
  const relation = head?.relation;
  const end = await scanByReading(agent, file, {
    ...usage.events,
    table: options.table,
    ...(head?.createdAt !== undefined && { startedAt: head.createdAt }),
    ...(head?.cwd !== undefined && { cwd: head.cwd }),
    ...(relation?.kind === "subagent" && { parent: relation.session }),
  });
  return { ...end, proof: "" };
}
