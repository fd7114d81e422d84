import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { isWithin } from "../base/within.ts";
import type { SessionHead } from "../model/head.ts";

/** A process that may be writing a session. */
export interface Writer {
  readonly pid: number;
  readonly why: string;
}

/** What is looked for among the processes. */
export interface Written {
  readonly files: readonly string[];
  /** What the agent's program is called. */
  readonly program: string | undefined;
  readonly head: SessionHead;
  /** When the session changed last. */
  readonly modifiedMs: number;
  /** Whether it is what the agent's program continues in its folder unless it is given another one. */
  isNewest(): boolean;
}

/**
 * A process that has a file of the session open, names the session on its command line, or is the agent's program in the
 * session's folder and was there when the session changed last, or may be about to continue it. Where the system does not
 * tell what processes do (only Linux does), undefined: the caller looks at the clock instead.
 */
export function writerOf(written: Written, proc = "/proc"): Writer | undefined {
  const files = new Set(written.files);
  for (const name of pidsIn(proc)) {
    const pid = Number(name);
    if (pid === process.pid || pid === process.ppid) continue;
    const folder = join(proc, name);
    const words = wordsOf(folder);
    const isAgent = isProgram(words, written.program);
    if (opens(folder, files)) return { pid, why: "has its file open" };
    if (!isAgent) continue;
    const { session, cwd } = written.head;
    if (words.some((word) => word === session || word.endsWith(`=${session}`)))
      return { pid, why: "runs with it" };
    const at = cwdOf(folder);
    if (at === undefined || cwd === undefined || !isWithin(at, cwd)) continue;
    if (startedMs(proc, folder) <= written.modifiedMs + slackMs)
      return { pid, why: "runs in its folder, and the session changed since it started" };
    if (written.isNewest())
      return { pid, why: "runs in its folder, where this session is the newest" };
  }
  return undefined;
}

function pidsIn(proc: string): readonly string[] {
  try {
    return readdirSync(proc).filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

function wordsOf(folder: string): readonly string[] {
  try {
    return readFileSync(join(folder, "cmdline"), "utf8").split("\0").filter(Boolean);
  } catch {
    return [];
  }
}

/** A program may be started by an interpreter: then its second word names it. */
function isProgram(words: readonly string[], program: string | undefined): boolean {
  if (program === undefined) return false;
  return words
    .slice(0, 3)
    .some((word) => basename(word).replace(/\.(?:c?js|mjs|exe)$/, "") === program);
}

function opens(folder: string, files: ReadonlySet<string>): boolean {
  try {
    const open = join(folder, "fd");
    return readdirSync(open).some((fd) => {
      try {
        return files.has(readlinkSync(join(open, fd)));
      } catch {
        return false;
      }
    });
  } catch {
    // A process of somebody else's does not tell.
    return false;
  }
}

function cwdOf(folder: string): string | undefined {
  try {
    return readlinkSync(join(folder, "cwd"));
  } catch {
    return undefined;
  }
}

/** The clock that a start is counted by has whole seconds. */
const slackMs = 2_000;

/** When a process was started: ticks since the machine was. */
function startedMs(proc: string, folder: string): number {
  try {
    const boot = /^btime (\d+)$/m.exec(readFileSync(join(proc, "stat"), "utf8"))?.[1];
    // The name of the program may hold blanks; behind its bracket everything is counted.
    const stat = readFileSync(join(folder, "stat"), "utf8");
    const ticks = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
    return Number(boot) * 1000 + (Number(ticks) / ticksPerSecond) * 1000;
  } catch {
    return 0;
  }
}

const ticksPerSecond = 100;
