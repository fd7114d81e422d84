import { closeSync, ftruncateSync, rmSync, writeSync } from "node:fs";
import type { SessionRef } from "../../agents/contract.ts";
import { limits } from "../../base/limits.ts";
import { openToAppend, readRegular } from "../../base/open-file.ts";
import { placeKey } from "./source.ts";

/**
 * Which sessions were being read when a process died. A line for each is in a file beside the index before the session
 * is read, and goes when reading it ends, however it ends. Only the holder of the index's lease has one.
 */
export class Attempts {
  readonly #path: string;
  readonly #fd: number | undefined;
  /** The lines that dead processes left. */
  #left: readonly string[];
  readonly #leave = (): void => this.end();

  constructor(path: string) {
    this.#path = path;
    this.#left = linesOf(path);
    this.#fd = tried(() => openToAppend(path));
    this.end();
    // A process that ends in order did not die of what it read.
    process.once("exit", this.#leave);
  }

  /** Whether reading a session, as it is now, has ended processes as often as it is tried. */
  isHopeless(ref: SessionRef): boolean {
    if (this.#left.length === 0) return false;
    const line = lineOf(ref);
    return this.#left.filter((left) => left === line).length >= limits.catalogAttempts;
  }

  /** Writes down that a session is being read; where there is no room for that, it is read all the same. */
  begin(ref: SessionRef): void {
    const fd = this.#fd;
    if (fd !== undefined) tried(() => writeSync(fd, lineOf(ref)));
  }

  /** Takes that back: reading it ended. */
  end(): void {
    const fd = this.#fd;
    if (fd !== undefined) tried(() => ftruncateSync(fd, Buffer.byteLength(this.#left.join(""))));
  }

  /** Forgets what dead processes left, but for the sessions that are still to be read. */
  conclude(pending: readonly SessionRef[]): void {
    const fd = this.#fd;
    if (fd === undefined || this.#left.length === 0) return;
    const waiting = new Set(pending.map(lineOf));
    this.#left = this.#left.filter((line) => waiting.has(line));
    tried(() => ftruncateSync(fd, 0));
    tried(() => writeSync(fd, this.#left.join("")));
  }

  /** Gives the file up; it stays only where it says something. */
  close(): void {
    process.off("exit", this.#leave);
    if (this.#fd === undefined) return;
    this.end();
    closeSync(this.#fd);
    if (this.#left.length === 0) tried(() => rmSync(this.#path, { force: true }));
  }
}

/** The whole lines of the file; one that was cut has nothing behind it. */
function linesOf(path: string): readonly string[] {
  const text = tried(() => readRegular(path, limits.catalogAttemptBytes).toString()) ?? "";
  return text.match(/.*\n/g) ?? [];
}

function lineOf(ref: SessionRef): string {
  return `${JSON.stringify([ref.agent, placeKey(ref), ref.sizeBytes, ref.modifiedMs])}\n`;
}

/** What is remembered here helps, but nothing fails for the want of it. */
function tried<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
