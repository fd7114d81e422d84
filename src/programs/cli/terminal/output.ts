import { once } from "node:events";
import { fstatSync, statSync, writeSync } from "node:fs";
import type { Writable } from "node:stream";
import { errnoOf } from "../../../base/errors.ts";
import { jsonLine } from "./terminal-text.ts";

/** Where a command prints. Writing waits for a slow reader, so that memory stays flat. */
export interface Output {
  readonly isTerminal: boolean;
  /** The width as it is now: a terminal may be resized while the program runs. */
  readonly columns: number;
  readonly rows: number;
  /** Results; resolves when more may be written. */
  write(text: string): Promise<void>;
  /** One value as one line of JSON. */
  writeJson(value: unknown): Promise<void>;
  /** Remarks for the person, never part of a result. */
  note(text: string): void;
}

/** Standard input, output and error by their descriptors. */
type Standard = 0 | 1 | 2;

/** The output of this process. */
export function processOutput(): Output {
  const isShown = isTerminal(1);
  return {
    isTerminal: isShown,
    // A terminal that does not know its size says 0.
    get columns() {
      return (isShown && process.stdout.columns) || 80;
    },
    get rows() {
      return (isShown && process.stdout.rows) || 24;
    },
    write: (text) => put(1, text),
    writeJson: (value) => put(1, `${jsonLine(value)}\n`),
    note: (text) => {
      void put(2, `${text}\n`);
    },
  };
}

const terminals = new Map<Standard, boolean>();

/** Whether a person sits at the other end. A pipe, a file or nothing needs no stream to tell that nobody does. */
export function isTerminal(standard: Standard): boolean {
  let known = terminals.get(standard);
  if (known === undefined) {
    known =
      isDevice(standard) && (standard === 0 ? process.stdin : streamOf(standard)).isTTY === true;
    terminals.set(standard, known);
  }
  return known;
}

/** Whether it is a terminal on which one can draw; a dumb one prints line after line. */
export function isScreen(standard: Standard): boolean {
  return isTerminal(standard) && process.env["TERM"] !== "dumb";
}

/** Whether it is a device, and not the one that takes everything; what cannot be asked is left to the stream. */
function isDevice(standard: Standard): boolean {
  try {
    const stat = fstatSync(standard);
    return stat.isCharacterDevice() && stat.rdev !== statSync(nullDevice).rdev;
  } catch {
    return true;
  }
}

const nullDevice = "/dev/null";

/** Outputs that make their writer come back later: what is written to one must stay in order. */
const unready = new Set<Standard>();

/** Writes without a stream where it can: to make one takes longer than many an answer. */
async function put(standard: 1 | 2, text: string): Promise<void> {
  if (isTerminal(standard) || unready.has(standard)) return writeTo(streamOf(standard), text);
  const bytes = Buffer.from(text);
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(standard, bytes, written);
  } catch (error) {
    if (errnoOf(error) !== "EAGAIN") leave(error);
    unready.add(standard);
    await writeTo(streamOf(standard), bytes.subarray(written));
  }
}

const watched = new Set<object>();

function streamOf(standard: 1 | 2): typeof process.stdout | typeof process.stderr {
  const stream = standard === 1 ? process.stdout : process.stderr;
  if (!watched.has(stream)) stream.on("error", leave);
  watched.add(stream);
  return stream;
}

/**
 * Ends the process quietly when the reader of our output went away, as `| head` does; anything else
 * that goes wrong with the output is a failure.
 */
function leave(error: unknown): never {
  const code = errnoOf(error);
  if (code === "EPIPE") process.exit(process.exitCode ?? 0);
  try {
    writeSync(2, `reprise: The output cannot be written (${code ?? "unknown"}).\n`);
  } catch {
    // Nobody can be reported.
  }
  process.exit(1);
}

/** Writes to a stream and waits while it is full. */
export async function writeTo(stream: Writable, text: string | Uint8Array): Promise<void> {
  if (text.length === 0 || stream.destroyed) return;
  if (!stream.write(text)) await once(stream, "drain");
}
