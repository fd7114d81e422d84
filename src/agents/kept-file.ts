import { dirname } from "node:path";
import { atomicWrite } from "../base/atomic-write.ts";
import { disk } from "../base/disk.ts";
import { readRegular } from "../base/open-file.ts";
import type { SessionHead } from "../model/head.ts";

/** A file of derived data about other agents' sessions; `version` names all that made it, but for the sessions. */
export interface KeptFile {
  readonly version: string;
}

/** Whether what was learned of a session may be written down: nothing of one that is sealed, or could not be read. */
export function mayBeKept({ sealed, problem }: SessionHead): boolean {
  return sealed !== true && problem === undefined;
}

/** What was kept in a file; undefined if there is none, or it is damaged or of another version. */
export function readKept<File extends KeptFile>(path: string, version: string): File | undefined {
  try {
    // Written here: it needs none of the care that others' files do.
    const file = JSON.parse(readRegular(path).toString("latin1")) as File;
    return file.version === version ? file : undefined;
  } catch {
    return undefined;
  }
}

// ASCII alone is read back several times faster: nothing has to be decoded.
const beyondAscii = /[\u0080-\uffff]/g;

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Keeps it in a file; one that cannot be written costs time, not an answer. */
export function writeKept<File extends KeptFile>(path: string, file: File): void {
  try {
    disk.makeDirectory(dirname(path));
    const json = JSON.stringify(file);
    atomicWrite(path, json.replace(beyondAscii, escaped), { sync: false });
  } catch {
    return;
  }
}
