import { join } from "node:path";
import type { Environment } from "../../base/env.ts";
import { RepriseError } from "../../base/errors.ts";
import { smallFile } from "../../base/folders.ts";
import {
  asArray,
  asNumber,
  asString,
  isObject,
  type JsonObject,
  parseObject,
} from "../../base/json.ts";
import { limits } from "../../base/limits.ts";
import { type Copy, copyIn } from "../../store/copies.ts";
import { type Marks, marksIn } from "../../store/marks.ts";

/** A file of a backup; its path begins in the folder `home` of it, with `/` on every system. */
export interface ListedFile {
  readonly path: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly modifiedMs: number;
}

/** What the user said about a session. */
export interface ListedMarks extends Marks {
  readonly agent: string;
  readonly session: string;
}

/** What a backup says about itself, in its last file to be written. */
export interface Listing {
  readonly createdAt: string;
  /** The system it was made on, which says where agents keep things. */
  readonly platform: NodeJS.Platform;
  readonly files: readonly ListedFile[];
  readonly marks: readonly ListedMarks[];
  /** What its sessions are copies of; their files are named as in `files`. */
  readonly copies: readonly Copy[];
  readonly settings: JsonObject;
}

/** The name of the listing in a backup. */
export const listingName = "backup.json";

/** The name of the memories in a backup. */
export const memoriesName = "memories.jsonl";

const format = "reprise-backup";
const platforms: readonly NodeJS.Platform[] = ["linux", "darwin", "win32"];

/** The folder of a backup that is laid out like a home; no variable of this machine speaks of it. */
export function homeIn(backup: string, platform: NodeJS.Platform): Environment {
  const home = join(backup, "home");
  return { variables: {}, platform, home, cwd: home };
}

/** A listing as text. */
export function listingText(listing: Listing): string {
  return `${JSON.stringify({ format, version: 1, ...listing }, undefined, 1)}\n`;
}

/** The listing of a backup; throws `not_found` if the folder holds none. What is not well formed in it is left out. */
export function readListing(backup: string): Listing {
  const text = smallFile(join(backup, listingName), limits.backupListingBytes);
  const said = text === undefined ? undefined : parseObject(text);
  if (said === undefined || said["format"] !== format) {
    throw new RepriseError("not_found", `${backup} does not hold a whole backup.`, {
      hint: "Name the folder that `reprise backup <folder>` wrote. To go back to a checkpoint, use `reprise rewind`.",
    });
  }
  if (said["version"] !== 1) {
    throw new RepriseError("unsupported", "A newer version of Reprise made this backup.", {
      hint: "Update Reprise, then restore it.",
    });
  }
  return {
    createdAt: asString(said["createdAt"]) ?? "",
    platform: platforms.find((name) => name === said["platform"]) ?? "linux",
    files: asArray(said["files"]).flatMap(fileIn),
    marks: asArray(said["marks"]).flatMap(markIn),
    copies: asArray(said["copies"]).flatMap((copy) => copyIn(copy) ?? []),
    settings: isObject(said["settings"]) ? said["settings"] : {},
  };
}

function fileIn(value: unknown): readonly ListedFile[] {
  if (!isObject(value)) return [];
  const path = asString(value["path"]);
  const sha256 = asString(value["sha256"]);
  const sizeBytes = asNumber(value["sizeBytes"]);
  const modifiedMs = asNumber(value["modifiedMs"]);
  if (path === undefined || sha256 === undefined) return [];
  if (sizeBytes === undefined || modifiedMs === undefined) return [];
  return [{ path, sha256, sizeBytes, modifiedMs }];
}

function markIn(value: unknown): readonly ListedMarks[] {
  if (!isObject(value)) return [];
  const agent = asString(value["agent"]);
  const session = asString(value["session"]);
  return agent === undefined || session === undefined
    ? []
    : [{ agent, session, ...marksIn(value) }];
}
