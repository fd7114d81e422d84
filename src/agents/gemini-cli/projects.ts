import { createHash } from "node:crypto";
import { basename, dirname, join } from "node:path";
import { uptimeMs } from "../../base/clock.ts";
import { smallFile } from "../../base/folders.ts";
import { isObject, parseObject } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";

/** The largest file beside a session that is read whole. */
const sideFileBytes = 4 * 1024 * 1024;
const hashName = /^[0-9a-f]{64}$/;

/** Project paths by the hash that names their folder; a hash proves its path, so they stay true. */
const pathByHash = new Map<string, string>();
const learned = new Set<string>();

/** The folder below `tmp` that a session file, a subagent's file or a saved chat lies in. */
export function projectFolder(path: string): string {
  const chats = Math.max(path.lastIndexOf("/chats/"), path.lastIndexOf("\\chats\\"));
  return chats < 0 ? dirname(path) : path.slice(0, chats);
}

/** Whether a folder below `tmp` is named by a project's hash, as up to version 0.28. */
export function isHashName(name: string): boolean {
  return hashName.test(name);
}

/** The hash the program gives a project path. */
export function projectHash(path: string): string {
  return createHash("sha256").update(path).digest("hex");
}

/** Remembers project paths, so that folders named by a hash can be reported. */
export function learnProjects(paths: Iterable<string>): void {
  for (const path of paths) {
    if (learned.has(path) || learned.size >= limits.directoryEntries) continue;
    learned.add(path);
    pathByHash.set(projectHash(path), path);
  }
}

/** Paths by slug, as `projects.json` states them; its paths are learned. */
export function registeredProjects(root: string): ReadonlyMap<string, string> {
  const bySlug = new Map<string, string>();
  const projects = parseObject(smallFile(join(root, "projects.json"), sideFileBytes) ?? "")?.[
    "projects"
  ];
  if (!isObject(projects)) return bySlug;
  for (const [path, slug] of Object.entries(projects)) {
    if (typeof slug === "string") bySlug.set(slug, path);
  }
  learnProjects(bySlug.values());
  return bySlug;
}

/** The project a folder below `tmp` belongs to: by its marker, by the registry, or by its hash. */
export function projectOf(
  folder: string,
  registered: ReadonlyMap<string, string>,
): string | undefined {
  const marker = smallFile(join(folder, ".project_root"), sideFileBytes)?.trim();
  if (marker !== undefined && marker !== "") return marker;
  const name = basename(folder);
  return registered.get(name) ?? pathByHash.get(name);
}

// Sessions of one project share their folder: a list asks for each folder's project once.
const owners = new Map<string, string | undefined>();
let askedMs = 0;

/** The project a folder belongs to by its marker or by the registry, as it was at most a moment ago. */
export function ownerOf(folder: string, root: string): string | undefined {
  const nowMs = uptimeMs();
  if (nowMs - askedMs > limits.folderMemoryMs) {
    owners.clear();
    askedMs = nowMs;
  }
  if (!owners.has(folder)) owners.set(folder, projectOf(folder, registeredProjects(root)));
  return owners.get(folder);
}

/** The path whose hash this is, where it was learned. */
export function projectByHash(hash: string): string | undefined {
  return pathByHash.get(hash);
}
