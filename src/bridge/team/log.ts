import { closeSync, fstatSync, openSync, readSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { smallFile } from "../../base/folders.ts";
import { limits } from "../../base/limits.ts";
import { makeFolder } from "../../base/make-folder.ts";
import { readOpen } from "../../base/open-file.ts";
import type { ProjectPlaces } from "../ledger/places.ts";
import { encodeEntry, entriesIn, type TeamEntry } from "./entry.ts";
import { foldTeam, type Team } from "./team.ts";
import { workflowsIn } from "./workflow.ts";

/** The team of a project, folded from the end of its log; undefined if it has none. */
export function readTeam(project: ProjectPlaces): Team | undefined {
  const text = tailOf(project.team);
  if (text === undefined) return undefined;
  const table = smallFile(join(project.path, ".reprise", "workflows.json"), limits.ledgerBytes);
  return foldTeam(entriesIn(text), workflowsIn(table));
}

/** Adds an entry by one write. */
export function appendTeam(project: ProjectPlaces, entry: TeamEntry): void {
  appendWhole(project.team, encodeEntry(entry));
}

/**
 * Appends a text to a file of ours by one write; the file and its folder are made where they are missing. What a
 * full disk left of an earlier line stays a line of its own.
 */
export function appendWhole(path: string, text: string): void {
  makeFolder(dirname(path));
  const fd = openSync(path, "a+", 0o600);
  try {
    const bytes = Buffer.from(endsWhole(fd) ? text : `\n${text}`);
    if (writeSync(fd, bytes) !== bytes.length)
      throw Object.assign(new Error("short write"), { code: "ENOSPC" });
  } finally {
    closeSync(fd);
  }
}

function endsWhole(fd: number): boolean {
  const { size } = fstatSync(fd);
  const last = Buffer.alloc(1);
  return size === 0 || readSync(fd, last, 0, 1, size - 1) === 0 || last[0] === 10;
}

function tailOf(path: string): string | undefined {
  const read = (fd: number): string => {
    const { size } = fstatSync(fd);
    const from = Math.max(0, size - limits.ledgerBytes);
    const bytes = Buffer.allocUnsafe(size - from);
    return bytes.toString("utf8", 0, readSync(fd, bytes, 0, bytes.length, from));
  };
  return readOpen(path, read, undefined);
}
