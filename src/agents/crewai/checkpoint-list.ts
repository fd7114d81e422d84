import { basename, dirname, join } from "node:path";
import { entriesOf, fileStat } from "../../base/folders.ts";
import { asString } from "../../base/json.ts";
import type { Damage } from "../../model/damage.ts";
import { remembered } from "../../sqlite/remembered.ts";
import { tableRows } from "../../sqlite/table-rows.ts";
import { keptDatabases } from "./flows.ts";
import { checkpointId, checkpoints } from "./stores.ts";

/** A checkpoint, before its content is read. */
export interface CheckpointPlace {
  readonly id: string;
  readonly parent?: string;
  readonly branch: string;
  /** Its own file; absent if it is a row. */
  readonly path?: string;
}

/** Checkpoints that come from one another: a parent stands before what follows it. */
export interface Lineage {
  /** The first one that is still there; the program removes the oldest. */
  readonly root: string;
  readonly places: readonly CheckpointPlace[];
}

const fileName = /^(\d{8}T\d{6}_[0-9a-f]{8})_p-(none|\d{8}T\d{6}_[0-9a-f]{8})\.json$/;
const deepestBranch = 4;

/** The checkpoints in a folder of files, told by their names alone. */
export function checkpointFiles(folder: string): readonly CheckpointPlace[] {
  return [...filesBelow(folder, "", 0)];
}

function* filesBelow(folder: string, branch: string, depth: number): Generator<CheckpointPlace> {
  for (const entry of entriesOf(join(folder, branch))) {
    const inner = branch === "" ? entry.name : `${branch}/${entry.name}`;
    if (entry.isDirectory() && depth < deepestBranch) yield* filesBelow(folder, inner, depth + 1);
    const found = entry.isFile() ? fileName.exec(entry.name) : null;
    if (found !== null) {
      const [, id = "", parent = ""] = found;
      const path = join(folder, inner);
      yield { id, branch, path, ...(parent !== "none" && { parent }) };
    }
  }
}

/** The folder of checkpoints that a file lies in: branches may be several folders deep. */
export function checkpointFolder(path: string): string {
  let folder = dirname(path);
  while (basename(folder) !== ".checkpoints" && dirname(folder) !== folder)
    folder = dirname(folder);
  return basename(folder) === ".checkpoints" ? folder : dirname(path);
}

/** The checkpoints in a database, and what was damaged; undefined if it has none. */
export const checkpointRows: (
  path: string,
) =>
  | { readonly places: readonly CheckpointPlace[]; readonly damage: readonly Damage[] }
  | undefined = remembered((path) => {
  const damage: Damage[] = [];
  const rows = tableRows(path, checkpoints, (one) => damage.push(one));
  if (rows === undefined) return undefined;
  const places: CheckpointPlace[] = [];
  for (const { row } of rows) {
    const id = asString(row["id"]) ?? "";
    const parent = asString(row["parent_id"]);
    if (!checkpointId.test(id)) continue;
    const branch = asString(row["branch"]) ?? "main";
    places.push({ id, branch, ...(parent !== undefined && { parent }) });
  }
  return { places, damage };
}, keptDatabases);

/** Puts checkpoints together that come from one another. */
export function lineagesOf(places: readonly CheckpointPlace[]): readonly Lineage[] {
  const known = new Map(places.map((place) => [place.id, place]));
  const roots = new Map<string, CheckpointPlace[]>();
  const told = ancestries(known);
  for (const place of [...known.values()].sort(byId)) {
    const { root } = told.get(place.id)!;
    const members = roots.get(root);
    if (members === undefined) roots.set(root, [place]);
    else members.push(place);
  }
  const parentsFirst = (a: CheckpointPlace, b: CheckpointPlace): number =>
    told.get(a.id)!.depth - told.get(b.id)!.depth || byId(a, b);
  return [...roots].map(([root, members]) => ({ root, places: members.sort(parentsFirst) }));
}

interface Ancestry {
  readonly root: string;
  readonly depth: number;
}

/** The first of those each checkpoint comes from, and how far away it is; a circle ends where it began. */
function ancestries(known: ReadonlyMap<string, CheckpointPlace>): ReadonlyMap<string, Ancestry> {
  const told = new Map<string, Ancestry>();
  for (const place of known.values()) {
    const path = new Map<string, CheckpointPlace>();
    let at: CheckpointPlace | undefined = place;
    while (at !== undefined && !told.has(at.id) && !path.has(at.id)) {
      path.set(at.id, at);
      at = at.parent === undefined ? undefined : known.get(at.parent);
    }
    const above = at === undefined ? undefined : told.get(at.id);
    const fromTop = [...path.keys()].reverse();
    const root = above?.root ?? fromTop[0]!;
    const depth = above?.depth ?? 0;
    for (const [index, id] of fromTop.entries()) told.set(id, { root, depth: depth + index + 1 });
  }
  return told;
}

function byId(a: CheckpointPlace, b: CheckpointPlace): number {
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

/** The path from the first to the newest checkpoint: what a run would continue from. */
export function livePath({ places }: Lineage): ReadonlySet<string> {
  const known = new Map(places.map((place) => [place.id, place]));
  const live = new Set<string>();
  let at = newestOf(places);
  while (at !== undefined && !live.has(at.id)) {
    live.add(at.id);
    at = at.parent === undefined ? undefined : known.get(at.parent);
  }
  return live;
}

/** The newest checkpoint; of several of one second the one that follows the others. */
export function newestOf(places: readonly CheckpointPlace[]): CheckpointPlace | undefined {
  let newest: CheckpointPlace | undefined;
  for (const place of places)
    if (newest === undefined || secondOf(place) >= secondOf(newest)) newest = place;
  return newest;
}

function secondOf({ id }: CheckpointPlace): string {
  return id.slice(0, "20260101T000000".length);
}

/** Size and time of all files of a lineage together. */
export function statOfFiles({ places }: Lineage): {
  readonly sizeBytes: number;
  readonly modifiedMs: number;
} {
  let sizeBytes = 0;
  let modifiedMs = 0;
  for (const { path } of places) {
    const stat = path === undefined ? undefined : fileStat(path);
    sizeBytes += stat?.sizeBytes ?? 0;
    modifiedMs = Math.max(modifiedMs, stat?.modifiedMs ?? 0);
  }
  return { sizeBytes, modifiedMs };
}
