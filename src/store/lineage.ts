import { closeSync, fstatSync } from "node:fs";
import { RepriseError } from "../base/errors.ts";
import { limits } from "../base/limits.ts";
import { openForReading } from "../base/open-file.ts";
import { readHeader, sumBefore, unsealedHeader } from "../log/header.ts";
import type { LogFile } from "../log/log-file.ts";
import type { Segment } from "../log/walk.ts";
import type { ForkBase, SessionStart } from "../model/event.ts";
import type { Home } from "./home.ts";
import { findBaseFile } from "./locate.ts";

/** A file of a lineage and what it needs to be verified. */
export interface LineageSegment extends Segment {
  readonly session: string;
  /** What its first line follows. */
  readonly firstSum: string;
  /** The sum its last line must have for what stands on it; undefined for the tip. */
  readonly lastSum: string | undefined;
}

/**
 * The files a session's history lies in: its own first, then what it was forked from, to the root. They are open while
 * somebody reads, between `enter` and `leave`.
 */
export class Lineage {
  readonly #home: Home;
  readonly #tip: { readonly file: LogFile; readonly start: SessionStart };
  #bases: readonly LineageSegment[] | undefined;
  #readers = 0;

  constructor(home: Home, tip: { readonly file: LogFile; readonly start: SessionStart }) {
    this.#home = home;
    this.#tip = tip;
  }

  /** Keeps the files open. */
  enter(): void {
    this.#readers += 1;
    this.#tip.file.enter();
  }

  /** Ends what `enter` began: bases that nobody reads are closed. */
  leave(): void {
    this.#readers -= 1;
    this.#tip.file.leave();
    if (this.#readers === 0) this.#closeBases();
  }

  /** The segments as they are now, the tip first. Bases are opened when first asked for. */
  segments(): readonly LineageSegment[] {
    this.#bases ??= this.#openBases();
    return [this.tip(), ...this.#bases];
  }

  /** The session's own file. */
  tip(): LineageSegment {
    const { file, start } = this.#tip;
    return { ...placeOf(file.fd, start), endOffset: fstatSync(file.fd).size, lastSum: undefined };
  }

  /** Closes every file, anyone who reads; a second call does nothing. */
  close(): void {
    this.#tip.file.close();
    this.#closeBases();
  }

  #closeBases(): void {
    const bases = this.#bases ?? [];
    this.#bases = undefined;
    for (const { fd } of bases) closeSync(fd);
  }

  #openBases(): readonly LineageSegment[] {
    const segments: LineageSegment[] = [];
    try {
      this.#addBases(segments);
      return segments;
    } catch (error) {
      for (const { fd } of segments) closeSync(fd);
      throw error;
    }
  }

  #addBases(segments: LineageSegment[]): void {
    let base: ForkBase | undefined = this.#tip.start.base;
    let near = this.#tip.file.path;
    while (base !== undefined) {
      checkDepth(segments.length + 1);
      const path = findBaseFile(this.#home, base.session, near);
      if (path === undefined) {
        throw new RepriseError("not_found", `The base session ${base.session} is missing.`);
      }
      const { segment, start } = openedBase(path, base);
      segments.push(segment);
      // A fork has the seal of its base: one whose seal was taken away must not get readable lines.
      if (start.seal !== undefined && this.#tip.start.seal === undefined) {
        throw unsealedHeader(this.#tip.file.path);
      }
      base = start.base;
      near = path;
    }
  }
}

function openedBase(
  path: string,
  base: ForkBase,
): { readonly segment: LineageSegment; readonly start: SessionStart } {
  const fd = openForReading(path);
  try {
    const { start } = readHeader(fd, path);
    // A base that lost its end is read as far as it goes; the walk says what is missing.
    const endOffset = Math.min(base.endOffset, fstatSync(fd).size);
    return { segment: { ...placeOf(fd, start), endOffset, lastSum: base.sum }, start };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

function placeOf(fd: number, start: SessionStart): Omit<LineageSegment, "endOffset" | "lastSum"> {
  const { session, base } = start;
  return { fd, session, firstId: (base?.event ?? 0) + 1, firstSum: sumBefore(start) };
}

/** Throws where a session would stand on more others, one upon the other, than are read. */
export function checkDepth(bases: number): void {
  if (bases <= limits.lineageDepth) return;
  throw new RepriseError("too_large", `More than ${limits.lineageDepth} forks upon forks.`);
}
