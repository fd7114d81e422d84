import { createHash } from "node:crypto";
import { closeSync, readSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { type Disk, exists, disk as realDisk } from "../base/disk.ts";
import { errnoOf, RepriseError } from "../base/errors.ts";
import { failpoint } from "../base/failpoint.ts";
import { statOf } from "../base/folders.ts";
import { asArray, asNumber, asString, isObject } from "../base/json.ts";
import { limits } from "../base/limits.ts";
import { whyRefused, writeError } from "../base/system-error.ts";
import { removeEmpty } from "./made-folders.ts";

/** A file we added somewhere, as it was in that moment. */
export interface FilePrint {
  readonly path: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  /** Folders that were made for it, the innermost first. */
  readonly folders?: readonly string[];
}

/** The error of an addition that failed, with what the disk said; a folder that does not exist is named. */
export function notWritten(path: string, cause: unknown): RepriseError {
  const folder = dirname(path);
  if (errnoOf(cause) === "ENOENT" && statOf(folder) === undefined) {
    return new RepriseError(
      "not_found",
      `The folder ${folder} does not exist; nothing was written.`,
      { cause, hint: "Make it, or choose another.", details: { folder } },
    );
  }
  return writeError(
    cause,
    `${path} could not be written: ${whyRefused(cause)}; nothing was left behind.`,
  );
}

/** Whether a file is still exactly what was added. */
export function isUntouched(print: FilePrint): boolean {
  const stat = statSync(print.path, { throwIfNoEntry: false });
  return stat?.size === print.sizeBytes && sha256Of(print.path) === print.sha256;
}

/** What a file is in this moment. */
export function printOf(path: string): FilePrint {
  return { path, sizeBytes: statSync(path).size, sha256: sha256Of(path) };
}

/** The prints that a record of a journal holds; what is none is passed over. */
export function printsIn(value: unknown): readonly FilePrint[] {
  return asArray(value).flatMap((file) => {
    if (!isObject(file)) return [];
    const path = asString(file["path"]);
    const sizeBytes = asNumber(file["sizeBytes"]);
    const sha256 = asString(file["sha256"]);
    if (path === undefined || sizeBytes === undefined || sha256 === undefined) return [];
    const folders = asArray(file["folders"]).filter((folder) => typeof folder === "string");
    return [{ path, sizeBytes, sha256, ...(folders.length > 0 && { folders }) }];
  });
}

/**
 * Removes added files and the folders made for them, all or none; throws `conflict` where one was touched since. What is
 * gone already is passed over, so that a removal that was interrupted can be finished.
 */
export function removeAdded(prints: readonly FilePrint[], disk: Disk = realDisk): void {
  refuseTouched(prints);
  for (const { path } of prints.filter((print) => exists(print.path))) {
    disk.remove(path);
    disk.syncDirectory(dirname(path));
    failpoint("addition.half-removed");
  }
  for (const { folders = [] } of prints) removeEmpty(folders);
}

/** Throws `conflict` if an added file was touched since; one that is gone was not. */
export function refuseTouched(prints: readonly FilePrint[]): void {
  const touched = prints.find((print) => exists(print.path) && !isUntouched(print));
  if (touched === undefined) return;
  throw new RepriseError("conflict", `${touched.path} was changed since it was added; it stays.`);
}

/** SHA-256 of a file from an offset on, in hex. */
export function sha256Of(path: string, from = 0): string {
  const hash = createHash("sha256");
  const fd = realDisk.openRead(path);
  try {
    const buffer = Buffer.allocUnsafe(limits.chunkBytes);
    for (let at = from; ; ) {
      const taken = readSync(fd, buffer, 0, buffer.length, at);
      if (taken === 0) return hash.digest("hex");
      hash.update(buffer.subarray(0, taken));
      at += taken;
    }
  } finally {
    closeSync(fd);
  }
}
