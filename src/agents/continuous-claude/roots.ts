import { join } from "node:path";
import type { Environment } from "../../base/env.ts";
import { foldersHere } from "../project-folders.ts";

/** The folders its pages lie in, but for other projects. */
export function roots(env: Environment): readonly string[] {
  return foldersHere(env).map((folder) => join(folder, "thoughts"));
}
