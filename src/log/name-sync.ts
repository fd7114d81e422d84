import { dirname } from "node:path";
import type { Disk, Synced } from "../base/disk.ts";
import { GroupSync } from "./group-sync.ts";

const groups = new WeakMap<Disk, Map<string, GroupSync>>();

/** Calls back when the name of a file is on the disk; files of one folder share the sync. */
export function whenNamed(disk: Disk, path: string, done: Synced): void {
  const folder = dirname(path);
  const ofDisk = groups.get(disk) ?? new Map<string, GroupSync>();
  groups.set(disk, ofDisk);
  const group =
    ofDisk.get(folder) ?? new GroupSync((synced) => disk.syncDirectoryLater(folder, synced));
  ofDisk.set(folder, group);
  group.whenSynced(done);
}
