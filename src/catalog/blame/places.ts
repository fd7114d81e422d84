import { dirname, isAbsolute, join, parse, relative, resolve } from "node:path";
import { exists } from "../../base/disk.ts";
import { limits } from "../../base/limits.ts";
import { isWithin } from "../../base/within.ts";
import type { ProjectIdentity } from "../../model/event.ts";
import { identifyProject, realPathOf, sameProject } from "../../store/project.ts";
import type { Place } from "./edit.ts";

/** The file that is asked about. */
export interface Target {
  /** With every link followed. */
  readonly path: string;
  readonly project: ProjectIdentity;
  /** The folder names are reported from: the working tree, or the disk where the file is in none. */
  readonly root: string;
  /** Its name from there. */
  readonly name: string;
}

/** A file named in a session, as the project sees it today. */
export interface Mapped {
  readonly name: string;
  readonly place: Place;
  /** The folder that is gone, where the project was when the session ran. */
  readonly movedFrom?: string;
}

/** The file a path leads to, and the project it belongs to; it need not exist. */
export function targetAt(path: string): Target {
  const real = realOf(resolve(path));
  const { identity, git } = identifyProject(existingFolder(dirname(real)));
  const root = git === undefined ? parse(real).root : identity.path;
  return { path: real, project: identity, root, name: relative(root, real) };
}

/**
 * Says where paths of sessions lie in the project of a file. A session may have run where the project
 * was before it was moved, or in another clone of it.
 */
export function pathMapper(
  target: Target,
): (path: string, cwd: string | undefined) => Mapped | undefined {
  const { root } = target;
  const known = new Map<string, Mapped | undefined>();
  return (path, cwd) => {
    if (!isAbsolute(path) && cwd === undefined) return undefined;
    // Both come from a transcript, which may say anything.
    if (path.length + (cwd?.length ?? 0) > limits.pathChars || /\0/.test(path + cwd))
      return undefined;
    const key = `${cwd ?? ""}\0${path}`;
    if (!known.has(key)) known.set(key, mapped(resolve(cwd ?? "/", path), cwd));
    return known.get(key);
  };

  function mapped(path: string, cwd: string | undefined): Mapped | undefined {
    const real = realOf(path);
    if (isWithin(real, root)) return { name: relative(root, real), place: "here" };
    const folder = existingFolder(dirname(real));
    const project = identifyProject(folder).identity;
    if (isWithin(real, project.path) && sameProject(project, target.project)) {
      return { name: relative(project.path, real), place: "elsewhere" };
    }
    return cwd === undefined || isThere(cwd) ? undefined : moved(path, cwd);
  }

  /** The session's folder is gone: one of the folders above it was the project's. */
  function moved(path: string, cwd: string): Mapped | undefined {
    const tops = foldersAbove(cwd).filter(
      (top) => isWithin(path, top) && !isThere(top) && isThere(join(root, relative(top, cwd))),
    );
    const found =
      tops.find((top) => isThere(join(root, relative(top, path)))) ??
      tops.find((top) => relative(top, path) === target.name);
    if (found === undefined) return undefined;
    return { name: relative(found, path), place: "here", movedFrom: found };
  }
}

/** The folder and all above it, the highest first; the root of the disk is not a project. */
function foldersAbove(folder: string): readonly string[] {
  const above: string[] = [];
  for (let at = folder; dirname(at) !== at; at = dirname(at)) above.unshift(at);
  return above;
}

/** The path with links followed as far as it exists. */
function realOf(path: string): string {
  const folder = existingFolder(path);
  return join(realPathOf(folder), relative(folder, path));
}

function existingFolder(path: string): string {
  let at = path;
  while (!isThere(at) && dirname(at) !== at) at = dirname(at);
  return at;
}

/** Whether something is there; what may not be looked at is not. */
function isThere(path: string): boolean {
  try {
    return exists(path);
  } catch {
    return false;
  }
}
