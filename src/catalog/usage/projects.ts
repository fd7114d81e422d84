import { groupByProject } from "../../agents/project.ts";
import type { SessionHead } from "../../model/head.ts";
import type { KnownFile } from "./cache-file.ts";
import { folderOf } from "./source.ts";

/** The project of a folder sessions ran in. */
export interface FolderProject {
  readonly name: string;
  readonly path?: string;
}

/** Projects of the folders that files name; a moved or cloned project is one. */
export function projectsByFolder(
  files: readonly KnownFile[],
  also: readonly string[] = [],
): ReadonlyMap<string, FolderProject> {
  const folders = new Set([...also, ...files.flatMap((known) => folderOf(known) ?? [])]);
  const heads = [...folders].map(headOf);
  const projects = new Map<string, FolderProject>();
  for (const { name, path, heads: members } of groupByProject(heads)) {
    const project = { name, ...(path !== undefined && { path }) };
    for (const { cwd } of members) if (cwd !== undefined) projects.set(cwd, project);
  }
  return projects;
}

function headOf(cwd: string): SessionHead {
  const updatedAt = new Date(0).toISOString();
  return { agent: "", session: cwd, path: cwd, sizeBytes: 0, updatedAt, cwd, state: "unknown" };
}
