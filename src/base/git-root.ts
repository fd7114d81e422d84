import { dirname, join, resolve } from "node:path";
import { statOf } from "./folders.ts";
import { limits } from "./limits.ts";

/** The folder at or above this one that holds `.git`. */
export function gitRootOf(folder: string): string | undefined {
  let at = resolve(folder);
  for (let depth = 0; depth < limits.depth; depth += 1) {
    if (statOf(join(at, ".git")) !== undefined) return at;
    const above = dirname(at);
    if (above === at) return undefined;
    at = above;
  }
  return undefined;
}
