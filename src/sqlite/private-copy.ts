import { createHash } from "node:crypto";
import {
  chmodSync,
  constants,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { exists } from "../base/disk.ts";
import { RepriseError } from "../base/errors.ts";
import { makeFolder } from "../base/make-folder.ts";
import { temporaryName } from "../base/temporary-name.ts";
import { forgetSuperJournal } from "./super-journal.ts";

const sides = ["", "-wal", "-journal"] as const;

/** What says one state of a database from another: device, inode, size and time of its files. */
export interface Signature {
  readonly source: string;
  readonly state: string;
}

/** The signature of a database and the log beside it, by stat alone. */
export function signatureOf(path: string): Signature {
  const facts = sides.map((side) => {
    const stat = statSync(path + side, { bigint: true, throwIfNoEntry: false });
    if (stat === undefined) return "absent";
    return `${stat.dev}:${stat.ino}:${stat.size}:${stat.mtimeNs}`;
  });
  const owner = facts[0]?.split(":").slice(0, 2).join(":") ?? "absent";
  return { source: `${owner}:${path}`, state: facts.join("|") };
}

/**
 * Copies a database and its log into a folder of our own and returns the copy. One copy is kept for a
 * source; a new state replaces the old one. `variant` names a copy that is changed after copying.
 */
export function privateCopy(
  path: string,
  options: {
    readonly copies?: string;
    readonly variant?: string;
    readonly finish?: (copy: string) => void;
  } = {},
): string {
  const folder = options.copies ?? defaultFolder();
  makeFolder(folder);
  let made = "";
  // A writer may come in between the two files: then the copy is made again from the new state.
  for (let attempt = 0; attempt < 4; attempt += 1) {
    const before = signatureOf(path);
    const source = hash(before.source);
    const name = `${source}-${hash(before.state)}${options.variant ?? ""}`;
    made = join(folder, name);
    if (exists(join(made, "copy.db"))) break;
    const unfinished = temporaryName(made);
    mkdirSync(unfinished, { mode: 0o700 });
    try {
      copyFiles(path, unfinished);
      options.finish?.(join(unfinished, "copy.db"));
      if (attempt < 3 && signatureOf(path).state !== before.state) continue;
      publish(unfinished, made);
    } finally {
      rmSync(unfinished, { recursive: true, force: true });
    }
    removeOlder(folder, { keep: name, source });
    break;
  }
  return join(made, "copy.db");
}

function copyFiles(path: string, into: string): void {
  for (const side of sides) {
    if (!exists(path + side)) continue;
    const copy = join(into, `copy.db${side}`);
    copyFileSync(path + side, copy, constants.COPYFILE_FICLONE);
    chmodSync(copy, 0o600);
    if (side === "-journal") forgetSuperJournal(copy);
  }
}

function publish(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    // Another process made the same copy first; its files are equal.
    if (!exists(join(to, "copy.db"))) throw error;
  }
}

function removeOlder(
  folder: string,
  place: { readonly keep: string; readonly source: string },
): void {
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(`${place.source}-`) || name === place.keep || name.endsWith(".tmp")) {
      continue;
    }
    try {
      rmSync(join(folder, name), { recursive: true, force: true });
    } catch {
      // Still open in another process on a system that forbids removing it; the next copy tries again.
    }
  }
}

/** Where copies go when the caller names no folder. */
function defaultFolder(): string {
  const home = process.env["REPRISE_HOME"];
  if (home !== undefined && home !== "") return join(home, "derived", "sqlite-copies");
  const user = process.platform === "win32" ? userInfo().username : String(userInfo().uid);
  const folder = join(tmpdir(), `reprise-sqlite-${user}`);
  makeFolder(folder);
  const stat = lstatSync(folder);
  // The temporary folder belongs to everybody: a folder somebody else prepared is not used.
  const foreign = process.platform !== "win32" && stat.uid !== userInfo().uid;
  if (!stat.isDirectory() || foreign || (process.platform !== "win32" && (stat.mode & 0o077) > 0)) {
    throw new RepriseError("no_permission", `${folder} is not a private folder of this user.`);
  }
  return folder;
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 20);
}
