import { createReadStream, createWriteStream, lstatSync, readdirSync, rmdirSync } from "node:fs";
import { chmod, link, mkdir, open, rm, utimes } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { printOf, sha256Of } from "../additions/added-file.ts";
import { disk, exists } from "../base/disk.ts";
import { makeDurableDirectory } from "../base/durable-directory.ts";
import { errnoOf, RepriseError } from "../base/errors.ts";
import { temporaryName } from "../base/temporary-name.ts";

/** A file as it was, and the compressed copy that was kept of it. */
export interface KeptFile {
  readonly path: string;
  readonly copy: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly mode: number;
  readonly modifiedMs: number;
}

/** A folder of a session as it was. */
export interface KeptFolder {
  readonly path: string;
  readonly mode: number;
}

/** The files and folders below a folder, itself first; links are files. */
export function below(folder: string): {
  readonly files: readonly string[];
  readonly folders: readonly KeptFolder[];
} {
  const files: string[] = [];
  const folders: KeptFolder[] = [];
  const visit = (path: string): void => {
    folders.push({ path, mode: lstatSync(path).mode & 0o7777 });
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      const inner = join(path, entry.name);
      if (entry.isDirectory()) visit(inner);
      else files.push(inner);
    }
  };
  visit(folder);
  return { files, folders };
}

/**
 * Keeps a compressed, durable copy of a file; a link or a device is refused. Undefined if the file is gone: the last
 * program that closes a database removes the log beside it.
 */
export async function keepFile(path: string, copy: string): Promise<KeptFile | undefined> {
  try {
    const stat = lstatSync(path);
    if (!stat.isFile())
      throw new RepriseError("unsupported", `${path} is not a regular file; nothing was deleted.`);
    const { sizeBytes, sha256 } = printOf(path);
    await pipeline(
      createReadStream(path),
      createGzip({ level: 4 }),
      createWriteStream(copy, { flags: "wx", mode: 0o600 }),
    );
    await synced(copy);
    const modifiedMs = stat.mtimeMs;
    return { path, copy: basename(copy), sizeBytes, sha256, mode: stat.mode & 0o7777, modifiedMs };
  } catch (error) {
    if (errnoOf(error) !== "ENOENT" || exists(path)) throw error;
    await rm(copy, { force: true });
    return undefined;
  }
}

/** Removes a file; `conflict` where it is not the one that was kept any more. */
export function removeKept({ path, sizeBytes, sha256 }: KeptFile): void {
  if (!exists(path)) return;
  const now = printOf(path);
  if (now.sizeBytes !== sizeBytes || now.sha256 !== sha256)
    throw new RepriseError("conflict", `${path} is being written.`, {
      hint: "Is its agent still running? Quit it, then delete the session again.",
    });
  disk.remove(path);
  disk.syncDirectory(dirname(path));
}

/** Removes folders that have become empty, the innermost first. */
export function removeFolders(folders: readonly KeptFolder[]): void {
  for (const { path } of folders.toReversed()) {
    try {
      rmdirSync(path);
    } catch (error) {
      if (!["ENOTEMPTY", "EEXIST", "ENOENT"].includes(errnoOf(error) ?? "")) throw error;
    }
  }
}

/** Throws `conflict` where something else has the name of a kept file. */
export function refuseAnother({ path, sizeBytes, sha256 }: KeptFile): void {
  if (!exists(path)) return;
  const stat = lstatSync(path);
  if (stat.isFile() && stat.size === sizeBytes && sha256Of(path) === sha256) return;
  throw new RepriseError(
    "conflict",
    `${path} is there again with other content; nothing was brought back.`,
    { hint: "Move that file away, then undo again." },
  );
}

/** Puts folders back that are gone. */
export async function restoreFolders(folders: readonly KeptFolder[]): Promise<void> {
  for (const { path, mode } of folders) {
    if (exists(path)) continue;
    makeDurableDirectory(dirname(path), disk);
    await mkdir(path);
    await chmod(path, mode);
  }
}

/** Puts a file back as it was, under a name that is free; one that is there already is left. */
export async function restoreFile(file: KeptFile, folder: string): Promise<void> {
  const { path, mode, modifiedMs } = file;
  if (exists(path)) return;
  makeDurableDirectory(dirname(path), disk);
  const temporary = temporaryName(path);
  try {
    await pipeline(
      createReadStream(join(folder, file.copy)),
      createGunzip(),
      createWriteStream(temporary, { flags: "wx", mode: 0o600 }),
    );
    await chmod(temporary, mode);
    await utimes(temporary, modifiedMs / 1000, modifiedMs / 1000);
    await synced(temporary);
    if (sha256Of(temporary) !== file.sha256)
      throw new RepriseError("damaged", `The copy of ${path} is damaged; it was not brought back.`);
    await link(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
  disk.syncDirectory(dirname(path));
}

async function synced(path: string): Promise<void> {
  const file = await open(path, "r");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
