import { join } from "node:path";
import type { Environment } from "../../base/env.ts";
import { namesIn, statOf } from "../../base/folders.ts";
import { foldersHere } from "../project-folders.ts";

/** Names a database of checkpoints has in a project unless its author chose another; `sources add` names others. */
const usualNames = ["checkpoints.sqlite", "checkpoints.db"] as const;

/** The folder in a project where we write threads, and where all databases are looked at. */
export function folderIn(project: string): string {
  return join(project, ".langgraph");
}

/** Where databases may lie in a project. */
export function placesIn(project: string): readonly string[] {
  return [...usualNames.map((name) => join(project, name)), folderIn(project)];
}

/** The databases that may lie in a project, those that are there. */
export function databasesIn(project: string): readonly string[] {
  const folder = folderIn(project);
  const inside = namesIn(folder).filter((name) => /\.(?:sqlite3?|db)$/.test(name));
  return [
    ...usualNames.map((name) => join(project, name)),
    ...inside.map((name) => join(folder, name)),
  ].filter((path) => statOf(path) !== undefined);
}

/** The folders its databases lie in, but for other projects. */
export function roots(env: Environment): readonly string[] {
  return foldersHere(env).map(folderIn);
}
