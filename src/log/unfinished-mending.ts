import { join } from "node:path";
import { exists } from "../base/disk.ts";

/** Where the redo record of a session lies while it is being mended. */
export function pendingPath(folder: string, session: string): string {
  return join(folder, `${session}.pending`);
}

/** Whether a session was left while it was being mended. */
export function isMendingUnfinished(folder: string, session: string): boolean {
  return exists(pendingPath(folder, session));
}
