import { basename, isAbsolute, join } from "node:path";
import type { Environment } from "../../base/env.ts";
import { foldersHere } from "../project-folders.ts";
import { databases } from "./stores.ts";

/**
 * The folders that may hold a project's storage. CrewAI names it after the project's folder, or after `CREWAI_STORAGE_DIR`:
 * taken for a name by its databases, for a path by its memory, so both are looked at.
 */
export function storagesOf(project: string, env: Environment): readonly string[] {
  const given = env.variables["CREWAI_STORAGE_DIR"] ?? "";
  if (isAbsolute(given)) return [given];
  const name = given === "" ? basename(project) : given;
  if (name === "" || name === "." || name === "..") return [];
  const own = dataFolders(env).map((folder) => join(folder, name));
  return given === "" ? own : [...own, join(project, given)];
}

/** Where programs keep a user's data, by system. */
function dataFolders({ platform, home, variables }: Environment): readonly string[] {
  if (platform === "darwin") return [join(home, "Library", "Application Support")];
  if (platform === "win32") {
    const local = variables["LOCALAPPDATA"] ?? join(home, "AppData", "Local");
    return [join(local, "CrewAI")];
  }
  const given = variables["XDG_DATA_HOME"] ?? "";
  return [isAbsolute(given) ? given : join(home, ".local", "share")];
}

/** The folders its stores lie in, but for other projects. */
export function roots(env: Environment): readonly string[] {
  return foldersHere(env).flatMap((project) => [
    ...storagesOf(project, env),
    join(project, ".checkpoints"),
  ]);
}

/** Where stores of a project may lie, in it or for it. */
export function placesIn(project: string, env: Environment): readonly string[] {
  const own = [".checkpoints", ...databases.map(({ name }) => name)];
  return [...storagesOf(project, env), ...own.map((name) => join(project, name))];
}
