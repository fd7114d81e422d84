import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { Running } from "../additions/running.ts";
import { errnoOf, RepriseError } from "../base/errors.ts";
import { temporaryName } from "../base/temporary-name.ts";
import type { Home } from "./home.ts";

/**
 * Writes a file piece by piece, readable by its owner alone. It appears whole or not at all; one that
 * is there already is kept unless `overwrite` is set.
 */
export async function writePieces(
  path: string,
  pieces: AsyncIterable<string> | Iterable<string>,
  options: {
    readonly overwrite: boolean;
    readonly home: Home;
    /** The flag that allows to overwrite a file. Default `--yes`. */
    readonly overwriteFlag?: string;
  },
): Promise<number> {
  const temporary = temporaryName(path);
  const running = announced(temporary, options.home);
  try {
    const fd = openedNew(temporary);
    const sizeBytes = await writeAll(fd, pieces);
    publish(temporary, path, options);
    return sizeBytes;
  } finally {
    rmSync(temporary, { force: true });
    running?.end();
  }
}

/** Should this process be killed, a later command sweeps; whose store cannot be written exports all the same. */
function announced(temporary: string, home: Home): Running | undefined {
  const running = new Running(home.running);
  try {
    running.announce(temporary, []);
    return running;
  } catch {
    return undefined;
  }
}

function openedNew(path: string): number {
  try {
    return openSync(path, "wx", 0o600);
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw error;
    throw new RepriseError("not_found", `There is no folder ${dirname(path)}.`, {
      cause: error,
      hint: "Make it first, or choose another file with --output.",
    });
  }
}

async function writeAll(
  fd: number,
  pieces: AsyncIterable<string> | Iterable<string>,
): Promise<number> {
  let sizeBytes = 0;
  try {
    for await (const piece of pieces) {
      const bytes = Buffer.from(piece);
      for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
      sizeBytes += bytes.length;
    }
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  return sizeBytes;
}

function publish(
  temporary: string,
  path: string,
  {
    overwrite,
    overwriteFlag = "--yes",
  }: { readonly overwrite: boolean; readonly overwriteFlag?: string },
): void {
  try {
    if (overwrite) renameSync(temporary, path);
    else linkSync(temporary, path);
  } catch (error) {
    if (errnoOf(error) !== "EEXIST") throw error;
    throw new RepriseError("conflict", `${path} exists already.`, {
      hint: `Choose another name, or overwrite it with ${overwriteFlag}.`,
    });
  }
}
