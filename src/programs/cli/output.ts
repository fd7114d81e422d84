import { once } from "node:events";
import { fstatSync, writeSync } from "node:fs";
import type { Writable } from "node:stream";
import { errnoOf } from "../../base/errors.ts";
import { pause } from "../../base/pause.ts";
import { jsonLine } from "./terminal-text.ts";

/** Where a command prints. Writing waits for a slow reader, so that memory stays flat. */
export interface Output {
  readonly isTerminal: boolean;
  readonly columns: number;
  readonly rows: number;
  /** Results; resolves when more may be written. */
  write(text: string): Promise<void>;
  /** One value as one line of JSON. */
  writeJson(value: unknown): Promise<void>;
  /** Remarks for the person, never part of a result. */
  note(text: string): void;
}

/** The output of this process. */
export function processOutput(): Output {
  const terminal = isTerminal(1) ? process.stdout : undefined;
  const write = (text: string): Promise<void> =>
    terminal === undefined ? print(1, text) : writeTo(terminal, text);
  return {
    isTerminal: terminal !== undefined,
    columns: terminal?.columns ?? 80,
    rows: terminal?.rows ?? 24,
    write,
    writeJson: (value) => write(`${jsonLine(value)}\n`),
    note: (text) => void print(2, `${text}\n`),
  };
}

/** Whether standard output (1) or standard error (2) is seen by a person. */
export function isTerminal(fd: 1 | 2): boolean {
  return !isPlain(fd) && streamOf(fd).isTTY === true;
}

/** Prints to standard output (1) or standard error (2). */
export async function print(fd: 1 | 2, text: string): Promise<void> {
  if (!isPlain(fd)) await writeTo(streamOf(fd), text);
  else writeAll(fd, text);
}

const plain = new Map<number, boolean>();

/** Files and pipes: making Node's stream for one takes as long as many commands, and it would write at once too. */
function isPlain(fd: 1 | 2): boolean {
  const known = plain.get(fd) ?? askPlain(fd);
  plain.set(fd, known);
  return known;
}

function askPlain(fd: 1 | 2): boolean {
  try {
    const stat = fstatSync(fd);
    return stat.isFile() || stat.isFIFO() || stat.isSocket();
  } catch {
    return false;
  }
}

function writeAll(fd: 1 | 2, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(fd, bytes, at);
    } catch (error) {
      // Another process that shares the pipe may have made it one that does not wait.
      if (errnoOf(error) === "EAGAIN") pause(1);
      else endOn(errnoOf(error));
    }
  }
}

const listened = new Set<number>();

function streamOf(fd: 1 | 2): NodeJS.WriteStream {
  const stream = fd === 1 ? process.stdout : process.stderr;
  if (!listened.has(fd)) {
    listened.add(fd);
    stream.on("error", (error: NodeJS.ErrnoException) => endOn(error.code));
  }
  return stream;
}

/** Ends quietly when the reader goes away, as `| head` does; anything else that goes wrong is a failure. */
function endOn(code: string | undefined): never {
  if (code === "EPIPE") process.exit(process.exitCode ?? 0);
  try {
    writeSync(2, `reprise: The output cannot be written (${code ?? "unknown"}).\n`);
  } catch {
    // Nobody can be told.
  }
  process.exit(1);
}

/** Writes to a stream and waits while it is full. */
export async function writeTo(stream: Writable, text: string): Promise<void> {
  if (text === "" || stream.destroyed) return;
  if (!stream.write(text)) await once(stream, "drain");
}
