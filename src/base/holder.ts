import { randomBytes } from "node:crypto";
import { closeSync, openSync, readFileSync, readlinkSync, readSync } from "node:fs";
import * as os from "node:os";
import { errnoOf } from "./errors.ts";
import { standInHost } from "./failpoint.ts";
import { hashText } from "./hash.ts";
import { asNumber, asString, parseObject } from "./json.ts";
import { limits } from "./limits.ts";

/** Who holds a lease, said precisely enough to tell a dead process from a live one with its number. */
export interface LeaseHolder {
  /** The host's name and, where known, the pid namespace: `laptop/4026531836`. */
  readonly host: string;
  readonly bootId?: string;
  readonly pid: number;
  /** Clock ticks between boot and the process's start. */
  readonly startTime?: string;
  readonly nonce: string;
  /** How long it may be silent before others take its lease; 30 s where it does not say. */
  readonly staleMs?: number;
}

/** What examining a holder's process says; `unknown` leaves only its heartbeat to judge by. */
export type HolderLife = "alive" | "dead" | "unknown";

/** The holder behind a lease that cannot be read. */
export const unreadableHolder: LeaseHolder = { host: "unknown", pid: 0, nonce: "" };

let own: Omit<LeaseHolder, "nonce"> | undefined;
let processNonce: string | undefined;
let leases = 0;

/** This process as the holder of a new lease. */
export function thisHolder(staleMs?: number): LeaseHolder {
  own ??= examineSelf();
  processNonce ??= randomBytes(8).toString("hex");
  leases += 1;
  const nonce = `${processNonce}-${leases}`;
  return { ...own, nonce, ...(staleMs !== undefined && { staleMs }) };
}

/** How long a holder may be silent before its lease is free for those who cannot examine its process. */
export function staleAfterMs({ staleMs = limits.leaseStaleMs }: LeaseHolder): number {
  return Math.min(Math.max(staleMs, limits.leaseStaleLeastMs), limits.leaseStaleMostMs);
}

/** The holder a lease's content names, or undefined if it names none. */
export function parseHolder(content: string): LeaseHolder | undefined {
  const value = parseObject(content);
  const host = asString(value?.["host"]);
  const pid = asNumber(value?.["pid"]);
  const nonce = asString(value?.["nonce"]);
  if (host === undefined || nonce === undefined) return undefined;
  // Zero and negative numbers would address process groups.
  if (pid === undefined || !Number.isSafeInteger(pid) || pid < 1) return undefined;
  const bootId = asString(value?.["bootId"]);
  const startTime = asString(value?.["startTime"]);
  const staleMs = asNumber(value?.["staleMs"]);
  return {
    host,
    ...(bootId === undefined ? {} : { bootId }),
    pid,
    ...(startTime === undefined ? {} : { startTime }),
    nonce,
    ...(staleMs === undefined ? {} : { staleMs }),
  };
}

/** Examines the holder's process; `dead` is certain and stays so. */
export function holderLife(holder: LeaseHolder): HolderLife {
  own ??= examineSelf();
  if (holder.host !== own.host) return "unknown";
  // Not a boot of this machine before the last one, but perhaps a copy of it that runs beside it: both have one name.
  if (holder.bootId !== own.bootId) return "unknown";
  const process = processState(holder.pid);
  if (process === undefined) return pidExists(holder.pid) ? "unknown" : "dead";
  if (process.gone) return "dead";
  if (holder.startTime === undefined) return "unknown";
  return holder.startTime === process.startTime ? "alive" : "dead";
}

/** This process as a part of a file's name: its host and boot, its number, when it started. */
export function processMark(): string {
  own ??= examineSelf();
  return `${placeMark(own)}-${own.pid}-${own.startTime ?? ""}`;
}

/** What the name of a file that a process made may hold. */
export const markPattern = "[0-9a-f]{8}-[1-9][0-9]{0,9}-[0-9]{0,20}";

/** Examines the process that a mark names; `dead` is certain and stays so. */
export function markLife(mark: string): HolderLife {
  own ??= examineSelf();
  const [place, pid, startTime = ""] = mark.split("-");
  if (place !== placeMark(own)) return "unknown";
  const { host, bootId } = own;
  return holderLife({
    host,
    ...(bootId === undefined ? {} : { bootId }),
    pid: Number(pid),
    ...(startTime === "" ? {} : { startTime }),
    nonce: "",
  });
}

function placeMark({ host, bootId = "" }: Omit<LeaseHolder, "nonce">): string {
  return hashText(`${host}\n${bootId}`).toString(16).padStart(8, "0").slice(-8);
}

/** A holder in words, for messages. */
export function holderName(holder: LeaseHolder): string {
  if (holder === unreadableHolder) return "a process that cannot be named";
  return `process ${holder.pid} on ${holder.host.split("/", 1)[0]}`;
}

function examineSelf(): Omit<LeaseHolder, "nonce"> {
  const bootId = quietly(() => readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim());
  // Containers may share a host name and see different processes under one number.
  const namespace = quietly(() => /\d+/.exec(readlinkSync("/proc/self/ns/pid"))?.[0]);
  const startTime = processState(process.pid)?.startTime;
  const hostname = `${os.hostname()}${standInHost}`;
  return {
    host: namespace === undefined ? hostname : `${hostname}/${namespace}`,
    ...(bootId === undefined ? {} : { bootId }),
    pid: process.pid,
    ...(startTime === undefined ? {} : { startTime }),
  };
}

function quietly<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function processState(pid: number): { startTime: string; gone: boolean } | undefined {
  let text: string;
  try {
    const fd = openSync(`/proc/${pid}/stat`, "r");
    try {
      const statBytes = Buffer.allocUnsafe(1024);
      text = statBytes.toString("latin1", 0, readSync(fd, statBytes, 0, statBytes.length, 0));
    } finally {
      closeSync(fd);
    }
  } catch {
    return undefined;
  }
  // The second field is the program's name in brackets and may hold anything, also spaces.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [state, threads, startTime] = [fields[0], fields[17], fields[19]];
  if (startTime === undefined) return undefined;
  // A killed leader is a zombie at once, while another of its threads may still be in a write.
  const gone = (state === "Z" || state === "X") && Number(threads) <= 1;
  return { startTime, gone };
}

/** /proc may hide the processes of others; the signal check does not. */
function pidExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errnoOf(error) !== "ESRCH";
  }
}
