import { dirname } from "node:path";
import { type Disk, exists } from "./disk.ts";

/** Makes a folder and its missing parents, each name synced in its parent: the folder survives a power cut. */
export function makeDurableDirectory(path: string, disk: Disk): void {
  const missing: string[] = [];
  for (let at = path; !exists(at); at = dirname(at)) missing.push(at);
  if (missing.length === 0) return;
  disk.makeDirectory(path);
  for (const made of missing.reverse()) disk.syncDirectory(dirname(made));
}
