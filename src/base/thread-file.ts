import { existsSync } from "node:fs";
import { join } from "node:path";

/**
 * The program of a thread, which lies beside the code that starts it, or beside what an entry of the library shares with
 * others; undefined if it is not built, as when the sources run as they are. Its source is named `<name>-thread.ts`: the
 * build finds it by that.
 */
export function threadFile(folder: string, name: string): string | undefined {
  const file = `${name}-thread.js`;
  return [join(folder, file), join(folder, "shared", file)].find((path) => existsSync(path));
}
