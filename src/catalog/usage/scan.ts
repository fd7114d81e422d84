import { closeSync, openSync, readFileSync } from "node:fs";
import type { Agent, SessionRef } from "../../agents/contract.ts";
import type { Environment } from "../../base/env.ts";
import { hashText } from "../../base/hash.ts";
import { parseObject } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";
import { readFully } from "../../jsonl/line.ts";
import type { KnownEnd } from "./cache-file.ts";
import { ClaudeCodeLines } from "./claude-code-scan.ts";
import { CodexLines } from "./codex-scan.ts";
import { GeminiCliLines } from "./gemini-cli-scan.ts";
import { NativeLines } from "./native-scan.ts";
import { PiLines } from "./pi-scan.ts";
import type { ReadRules } from "./read-scan.ts";
import { type LineTaker, scanOpen } from "./scan-file.ts";
import { allCounted, type Import, type ScanEnd, type UsageFile } from "./source.ts";
import { UsageTable } from "./table.ts";

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

type NewTaker = (
  table: UsageTable,
  carry: ScanEnd["carry"],
  imported: Import | undefined,
) => LineTaker;

const takers: Readonly<Record<string, NewTaker>> = {
  reprise: (table, carry, imported) => new NativeLines(table, { carry, imported }),
  "claude-code": (table) => new ClaudeCodeLines(table),
  codex: (table, carry) => new CodexLines(table, carry),
  "gemini-cli": (table) => new GeminiCliLines(table),
  pi: (table) => new PiLines(table),
};

/** Whether a file is lines of JSON that any thread can scan, and that is read on where it has grown. */
export function isLineFile(file: UsageFile): boolean {
  return takers[file.agent] !== undefined && file.path.endsWith(".jsonl");
}

/** Adds the rows of a line file. */
export function scanLineFile(task: ScanTask, table: UsageTable): ProvenEnd {
  const { file } = task;
  const fd = openSync(file.path, "r");
  try {
    return scanFd(fd, task, table);
  } finally {
    closeSync(fd);
  }
}

function scanFd(fd: number, task: ScanTask, table: UsageTable): ProvenEnd {
  const { file, from, skipBytes = 0, imported } = task;
  const start = from ?? (skipBytes > 0 ? afterCopy(fd, file, skipBytes) : undefined);
  const taker = takers[file.agent]!(table, start?.carry, imported);
  const end = scanOpen(fd, { ...(start !== undefined && { from: start }), table }, taker);
  return { ...end, proof: proofBefore(fd, end.offset) };
}

const proofBytes = 128;
const proofBuffer = Buffer.allocUnsafe(proofBytes);

/** Stands for the last bytes before an offset: other ones mean that the file was rewritten. */
function proofBefore(fd: number, offset: number): string {
  const from = Math.max(0, offset - proofBytes);
  const taken = readFully(fd, proofBuffer.subarray(0, offset - from), from);
  return taken < offset - from ? "" : String(hashText(proofBuffer.toString("latin1", 0, taken)));
}

/** Behind what was copied: it is looked through for the session's facts, its rows are another's. */
function afterCopy(fd: number, file: UsageFile, offset: number): ScanEnd {
  const copy = Buffer.allocUnsafe(Math.min(offset, limits.foreignLineBytes));
  const taker = takers[file.agent]!(new UsageTable(), undefined, undefined);
  taker.take(copy.subarray(0, readFully(fd, copy, 0)));
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
  const fd = openSync(path, "r");
  try {
    return end.proof !== "" && proofBefore(fd, end.offset) === end.proof;
  } finally {
    closeSync(fd);
  }
}

/** Adds the rows of what is no plain line file: compressed, in one JSON text, in a database, in Markdown. */
export async function scanOther(
  file: UsageFile,
  options: { readonly table: UsageTable; readonly env: Environment },
): Promise<ProvenEnd> {
  const { table } = options;
  if (file.agent === "codex") {
    const { openRollout } = await import("../../agents/codex/read/open-rollout.ts");
    const rollout = await openRollout(file.path);
    try {
      return { ...scanFd(rollout.fd, { file }, table), proof: "" };
    } finally {
      rollout.close();
    }
  }
  if (file.agent === "gemini-cli") return scanJson(file, table);
  return { ...(await scanByAgent(file, options)), proof: "" };
}

function scanJson(file: UsageFile, table: UsageTable): ProvenEnd {
  const lines = new GeminiCliLines(table);
  const whole =
    file.sizeBytes > limits.foreignLineBytes
      ? undefined
      : parseObject(readFileSync(file.path, "utf8"));
  if (whole === undefined) lines.damaged += 1;
  else lines.record(whole);
  const uncounted = { damaged: lines.damaged, absurd: lines.absurd, sealed: 0, unreadable: 0 };
  return { offset: 0, tailRows: 0, facts: lines.facts, uncounted, proof: "" };
}

async function scanByAgent(
  file: UsageFile,
  { table, env }: { readonly table: UsageTable; readonly env: Environment },
): Promise<ScanEnd> {
  const [{ agent, rules }, { scanByReading }] = await Promise.all([
    readerOf(file.agent),
    import("./read-scan.ts"),
  ]);
  const ref: SessionRef = file;
  const head = agent.head(ref, env);
  const relation = head?.relation;
  return scanByReading(agent, ref, {
    ...rules,
    table,
    ...(head?.createdAt !== undefined && { startedAt: head.createdAt }),
    ...(head?.cwd !== undefined && { cwd: head.cwd }),
    ...(relation?.kind === "subagent" && { parent: relation.session }),
  });
}

async function readerOf(
  name: string,
): Promise<{ readonly agent: Agent; readonly rules: ReadRules }> {
  if (name === "opencode") {
    const { opencode } = await import("../../agents/opencode/index.ts");
    return { agent: opencode, rules: { reasoningApart: true, copiesByMoment: true } };
  }
  const { aider } = await import("../../agents/aider/index.ts");
  return { agent: aider, rules: {} };
}
