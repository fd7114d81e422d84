import type { Environment } from "../../base/env.ts";
import { foldersHere } from "../project-folders.ts";
import { thoughtsIn } from "./pages.ts";

/** The folders its pages lie in, but for other projects. */
export function roots(env: Environment): readonly string[] {
  return foldersHere(env).map(thoughtsIn);
}
