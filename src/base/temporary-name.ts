import { basename, dirname, join } from "node:path";
import { type HolderLife, markLife, markPattern, processMark } from "./holder.ts";

/** Longer names leave no room for what is added to them. */
const nameChars = 60;

/**
 * A name beside a path for what is not finished yet. Nobody else has it, in this process or another, and it says
 * whose it is; it is not a secret, because such a file is only ever made if none is.
 */
export function temporaryName(path: string): string {
  const name = basename(path);
  const short = Buffer.byteLength(name) > 180 ? name.slice(0, nameChars) : name;
  const random = Math.random().toString(36).slice(2);
  return join(dirname(path), `${short}.${processMark()}.${random}.tmp`);
}

const temporary = new RegExp(`\\.(${markPattern})\\.[0-9a-z]*\\.tmp$`);

/** The mark of the process that made a temporary file; undefined if the name is of another kind. */
export function markIn(name: string): string | undefined {
  return temporary.exec(name)?.[1];
}

/** Whether anyone who made a temporary file still runs; undefined if the name is of another kind. */
export function temporaryLife(name: string): HolderLife | undefined {
  const mark = markIn(name);
  return mark === undefined ? undefined : markLife(mark);
}
