import { once } from "node:events";
import type { Writable } from "node:stream";
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
  return {
    isTerminal: process.stdout.isTTY === true,
    columns: process.stdout.columns ?? 80,
    rows: process.stdout.rows ?? 24,
    write: (text) => writeTo(process.stdout, text),
    writeJson: (value) => writeTo(process.stdout, `${jsonLine(value)}\n`),
    note: (text) => {
      process.stderr.write(`${text}\n`);
    },
  };
}

/** Writes to a stream and waits while it is full. */
export async function writeTo(stream: Writable, text: string): Promise<void> {
  if (text === "" || stream.destroyed) return;
  if (!stream.write(text)) await once(stream, "drain");
}

/**
 * Ends the process quietly when the reader of our output goes away, as `| head` does; anything else
 * that goes wrong with the output is a failure.
 */
export function endQuietlyOnClosedPipe(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      process.exit(error.code === "EPIPE" ? (process.exitCode ?? 0) : 1);
    });
  }
}
