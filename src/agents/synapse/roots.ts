import type { Environment } from "../../base/env.ts";
import { foldersHere } from "../project-folders.ts";
import { sessionsIn } from "./places.ts";

/** The folders its sessions lie in, but for other projects. */
export function roots(env: Environment): readonly string[] {
  return foldersHere(env).map(sessionsIn);
}
