import { existsSync } from "node:fs";
import { join } from "node:path";

/**
 * The program of a thread, which lies beside the one that starts it; undefined where it is not built, as
 * when the sources run as they are. Its source is named `<name>-thread.ts`: the build finds it by that.
 */
export function threadFile(folder: string, name: string): string | undefined {
  const file = join(folder, `${name}-thread.js`);
  return existsSync(file) ? file : undefined;
}
