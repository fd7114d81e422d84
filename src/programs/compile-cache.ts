import { statSync } from "node:fs";
import module from "node:module";
import { isAbsolute, join } from "node:path";
import type { Environment } from "../base/env.ts";
import { makeFolder } from "../base/make-folder.ts";

/** What Node has for it since 22.8. */
interface CompileCache {
  enableCompileCache?(folder: string): unknown;
}

/**
 * Lets Node keep what it compiles of a program for the next start, in the user's own cache folder and never in a store,
 * which machines may share. A Node that cannot do so, or a folder that is not safe, only makes starts slower.
 */
export function keepCompiled(env: Environment): void {
  const { enableCompileCache } = module as CompileCache;
  const folder = cacheFolder(env);
  if (enableCompileCache === undefined || folder === undefined) return;
  // Node would keep nothing: no empty folder is left behind either.
  if (env.variables["NODE_DISABLE_COMPILE_CACHE"]) return;
  try {
    if (isOwn(folder)) enableCompileCache(folder);
  } catch {
    return;
  }
}

/** Where what was compiled is kept; undefined if the environment names no place for it. */
export function cacheFolder({ variables, platform, home }: Environment): string | undefined {
  const [given, usual] =
    platform === "win32"
      ? [variables["LOCALAPPDATA"], join(home, "AppData", "Local")]
      : [variables["XDG_CACHE_HOME"], join(home, ".cache")];
  const folder = given !== undefined && isAbsolute(given) ? given : usual;
  return isAbsolute(folder) ? join(folder, "reprise", "compiled") : undefined;
}

/** Node runs what lies there: only a folder that nobody else may write is one to trust. It is made if it is not there. */
function isOwn(folder: string): boolean {
  const stat = statSync(folder, { throwIfNoEntry: false });
  if (stat === undefined) {
    makeFolder(folder);
    return true;
  }
  const user = process.getuid?.();
  return user === undefined || (stat.uid === user && (stat.mode & 0o022) === 0);
}
