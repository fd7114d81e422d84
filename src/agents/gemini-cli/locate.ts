import type { Dirent } from "node:fs";
import { basename, join, sep } from "node:path";
import type { Environment } from "../../base/env.ts";
import { entriesOf, fileStat } from "../../base/folders.ts";
import type { LocateOptions, SessionRef } from "../contract.ts";
import {
  isHashName,
  learnProjects,
  projectHash,
  projectOf,
  registeredProjects,
} from "./projects.ts";
import { geminiRoot } from "./roots.ts";

const sessionName = /^session-(?:\d{4}-\d\d-\d\dT\d\d-\d\d|\d+)?-?(.*)\.jsonl?$/;
const savedName = /^checkpoint-(.+)\.json$/;

/** Every session, subagent session and saved chat below the program's folder, by stat only. */
export function* locate(env: Environment, options: LocateOptions = {}): Generator<SessionRef> {
  const root = geminiRoot(env);
  const tmp = join(root, "tmp");
  const folders = entries(tmp).filter((entry) => entry.isDirectory());
  if (folders.length === 0) return;
  learnProjects([env.cwd, ...(options.projects ?? [])]);
  const registered = registeredProjects(root);
  const hashed = folders.filter((folder) => isHashName(folder.name));
  // The program copies a folder named by a hash to one named by a slug: the copy is the one it continues.
  const copied = new Set<string>();
  for (const folder of folders) {
    if (isHashName(folder.name)) continue;
    const path = join(tmp, folder.name);
    const owner = hashed.length === 0 ? undefined : projectOf(path, registered);
    const hash = owner === undefined ? undefined : projectHash(owner);
    for (const ref of folderRefs(path, root)) {
      if (hash !== undefined) copied.add(`${hash}/${basename(ref.path)}`);
      yield ref;
    }
  }
  for (const folder of hashed) {
    for (const ref of folderRefs(join(tmp, folder.name), root)) {
      if (!copied.has(`${folder.name}/${basename(ref.path)}`)) yield ref;
    }
  }
}

function* folderRefs(folder: string, root: string): Generator<SessionRef> {
  for (const entry of entries(folder)) {
    const encoded = savedName.exec(entry.name)?.[1];
    if (encoded === undefined || entry.isDirectory()) continue;
    const part = decoded(encoded);
    const owner = basename(folder).slice(0, 64);
    const session = `${owner}.checkpoint-${encoded.replaceAll("%", "_")}`;
    yield* refAt(join(folder, entry.name), { session, root, part });
  }
  const chats = join(folder, "chats");
  for (const entry of entries(chats)) {
    const path = `${chats}${sep}${entry.name}`;
    if (entry.isDirectory()) {
      for (const child of entries(path)) {
        const session = /^(.+)\.jsonl?$/.exec(child.name)?.[1];
        if (session === undefined || child.isDirectory()) continue;
        yield* refAt(join(path, child.name), { session, root, part: "subagent" });
      }
      continue;
    }
    const session = sessionName.exec(entry.name)?.[1];
    if (session === undefined) continue;
    yield* refAt(path, { session: session === "" ? entry.name : session, root });
  }
}

function* refAt(
  path: string,
  about: { readonly session: string; readonly root: string; readonly part?: string },
): Generator<SessionRef> {
  const stat = fileStat(path);
  if (stat !== undefined) yield { agent: "gemini-cli", path, ...stat, ...about };
}

/** A folder's entries in a stable order; none where it cannot be listed. */
function entries(folder: string): readonly Dirent[] {
  return entriesOf(folder).toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function decoded(tag: string): string {
  try {
    return decodeURIComponent(tag);
  } catch {
    return tag;
  }
}
