import { createHash } from "node:crypto";
import { closeSync } from "node:fs";
import { basename, join } from "node:path";
import { exists } from "../base/disk.ts";
import { RepriseError } from "../base/errors.ts";
import { namesIn } from "../base/folders.ts";
import { limits } from "../base/limits.ts";
import { openForReading } from "../base/open-file.ts";
import { readHeader } from "../log/header.ts";
import type { ProjectIdentity } from "../model/event.ts";
import { identifyProject, projectFolderName, sameProject } from "../store/project.ts";

/** A set of memories that are read together: a project's, the user's own, or one with a name. */
export interface Namespace {
  /** What people call it, and what entries say. */
  readonly name: string;
  /** The name of its log, safe as a file name. */
  readonly file: string;
  readonly project?: ProjectIdentity;
}

const projectPrefix = "project-";
const end = ".jsonl";

/** What holds everywhere. */
export const userNamespace: Namespace = { name: "user", file: "user" };

/**
 * The namespace of the project that a folder belongs to. What identifies a project changes when it gets its first commit
 * or a remote: then the log that it began with goes on.
 */
export function projectNamespace(cwd: string, folder: string): Namespace {
  const { identity } = identifyProject(cwd);
  const name = projectFolderName(identity);
  const own = { name, file: `${projectPrefix}${name}`, project: identity };
  if (exists(namespaceFile(folder, own))) return own;
  const known = namespacesIn(folder).find(
    ({ project }) => project !== undefined && sameProject(project, identity),
  );
  return known ?? own;
}

/** Every namespace that has a log, by what the first line of it says. */
export function namespacesIn(folder: string): readonly Namespace[] {
  return namesIn(folder).flatMap((entry) => {
    if (!entry.endsWith(end)) return [];
    return namespaceIn(join(folder, entry)) ?? [];
  });
}

/** The namespace that the first line of a log names; undefined if it names none. */
function namespaceIn(path: string): Namespace | undefined {
  try {
    const fd = openForReading(path);
    try {
      const { title, session, project } = readHeader(fd, path).start;
      if (!title || session !== basename(path, end)) return undefined;
      return { name: title, file: session, ...(project !== undefined && { project }) };
    } finally {
      closeSync(fd);
    }
  } catch {
    return undefined;
  }
}

/** The namespace of a name: the user's, a project's by the name that entries show, or one that a caller chose. */
export function namedNamespace(name: string, folder: string): Namespace {
  if (name === userNamespace.name) return userNamespace;
  const ofProject = { name, file: `${projectPrefix}${name}` };
  // With its project: a log that is written anew keeps saying whose it is.
  if (/^[a-z0-9-]+$/.test(name) && exists(namespaceFile(folder, ofProject)))
    return namespaceIn(namespaceFile(folder, ofProject)) ?? ofProject;
  if (name.length === 0 || name.length > limits.memoryKeyChars) {
    throw new RepriseError("bad_input", "A namespace needs a name of 1 to 512 characters.");
  }
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 48);
  const hash = createHash("sha256").update(name).digest("hex").slice(0, 16);
  return { name, file: `named-${slug || "namespace"}-${hash}` };
}

/** The folder of a home that holds the logs of all namespaces. */
export function memoryFolder(homeRoot: string): string {
  return join(homeRoot, "memory");
}

/** The log of a namespace. */
export function namespaceFile(folder: string, { file }: Namespace): string {
  return join(folder, file + end);
}
