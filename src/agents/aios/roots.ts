import type { Environment } from "../../base/env.ts";
import { foldersHere } from "../project-folders.ts";
import { foldersIn } from "./places.ts";

/** The folders its state lies in, but for other projects. */
export function roots(env: Environment): readonly string[] {
  return foldersHere(env).flatMap(foldersIn);
}
