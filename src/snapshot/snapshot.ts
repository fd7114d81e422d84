import { asNumber, asString, type JsonObject } from "../base/json.ts";
import { isBlobName } from "../blobs/name.ts";

/** The files of a folder in one moment, by names of content; small enough for the journal. */
export interface Snapshot {
  readonly folder: string;
  readonly at: string;
  /** The name of the tree. */
  readonly tree: string;
  /** The name of what it covers. */
  readonly scope: string;
  readonly files: number;
  readonly bytes: number;
  /** How many paths are covered and could not be kept. */
  readonly skipped: number;
  /** How many paths there was no time for; above 0 the snapshot is incomplete. */
  readonly missed: number;
  /** Only some paths were looked at; of all others the tree has what was known before. */
  readonly partial?: true;
}

/** The snapshot an entry of the journal holds; undefined if it holds none. */
export function snapshotIn(data: JsonObject): Snapshot | undefined {
  const folder = asString(data["folder"]);
  const at = asString(data["at"]);
  const { tree, scope } = data;
  if (folder === undefined || at === undefined || !isBlobName(tree) || !isBlobName(scope))
    return undefined;
  return {
    folder,
    at,
    tree,
    scope,
    files: asNumber(data["files"]) ?? 0,
    bytes: asNumber(data["bytes"]) ?? 0,
    skipped: asNumber(data["skipped"]) ?? 0,
    missed: asNumber(data["missed"]) ?? 0,
    ...(data["partial"] === true && { partial: true }),
  };
}

/** Whether a snapshot says nothing of some paths it should. */
export function isIncomplete({ missed, partial }: Snapshot): boolean {
  return missed > 0 || partial === true;
}
