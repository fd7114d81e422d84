import { join, resolve, sep } from "node:path";
import type { Environment } from "../../base/env.ts";
import { entriesOf, fileStat, namesIn, smallFile } from "../../base/folders.ts";
import { asString, parseObject } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";
import type { LocateOptions, SessionRef } from "../contract.ts";
import { agentFolder, expandHome, namedSessionFolder } from "./roots.ts";

/** Every session file of pi, by directory listings and stats alone. */
export function* locate(env: Environment, options: LocateOptions = {}): Generator<SessionRef> {
  const root = agentFolder(env);
  const sessions = join(root, "sessions");
  const seen = new Set<string>();
  for (const entry of entriesOf(sessions)) {
    const path = join(sessions, entry.name);
    const ref = entry.name.endsWith(".jsonl") ? refOf(path, { root, seen }) : undefined;
    if (ref !== undefined) yield ref;
    else if (!entry.isFile()) yield* refsIn(path, { root, seen });
  }
  for (const folder of customFolders(env, { root, projects: options.projects ?? [] })) {
    yield* refsIn(folder, { root, seen });
  }
}

/** Folders named by the environment or by settings: files lie in them directly. */
function customFolders(
  env: Environment,
  places: { readonly root: string; readonly projects: readonly string[] },
): ReadonlySet<string> {
  const folders = new Set<string>();
  const named = namedSessionFolder(env);
  if (named !== undefined) folders.add(named);
  const setForAll = sessionDirIn(join(places.root, "settings.json"));
  if (setForAll) folders.add(resolve(env.cwd, expandHome(setForAll, env)));
  for (const project of new Set([env.cwd, ...places.projects])) {
    const set = sessionDirIn(join(project, ".pi", "settings.json"));
    if (set) folders.add(resolve(project, expandHome(set, env)));
  }
  return folders;
}

function* refsIn(folder: string, found: Found): Generator<SessionRef> {
  for (const name of namesIn(folder)) {
    const ref = name.endsWith(".jsonl") ? refOf(`${folder}${sep}${name}`, found) : undefined;
    if (ref !== undefined) yield ref;
  }
}

/** Where refs come from, and which files were reported already. */
interface Found {
  readonly root: string;
  readonly seen: Set<string>;
}

function refOf(path: string, found: Found): SessionRef | undefined {
  if (found.seen.has(path)) return undefined;
  found.seen.add(path);
  const stat = fileStat(path);
  if (stat === undefined) return undefined;
  const { sizeBytes, modifiedMs } = stat;
  return { agent: "pi", session: sessionOf(path), path, sizeBytes, modifiedMs, root: found.root };
}

/** The session's id as the file name says it: what follows the time, or the whole name. */
export function sessionOf(path: string): string {
  const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
  const stem = name.replace(/\.jsonl$/, "");
  return /^\d{4}-\d\d-\d\dT[\d-]+Z_(.+)$/.exec(stem)?.[1] ?? stem;
}

function sessionDirIn(settings: string): string | undefined {
  const text = smallFile(settings, limits.headBytesMax);
  return text === undefined ? undefined : asString(parseObject(text)?.["sessionDir"]);
}
