import { isDeepStrictEqual } from "node:util";
import type { SessionHead } from "../model/head.ts";
import type { HeadsFilter } from "./contract.ts";
import { identifyProject, sameProject } from "./project.ts";

/** Those heads that have a tag and the metadata that are asked for, up to the limit. */
export function* filteredHeads(
  heads: Iterable<SessionHead>,
  { tag, metadata, limit = Number.POSITIVE_INFINITY }: HeadsFilter,
): Generator<SessionHead> {
  const wanted = Object.entries(metadata ?? {});
  let left = limit;
  if (left <= 0) return;
  for (const head of heads) {
    if (tag !== undefined && !head.tags?.includes(tag)) continue;
    if (!wanted.every(([name, value]) => isDeepStrictEqual(head.metadata?.[name], value))) continue;
    yield head;
    left -= 1;
    if (left <= 0) return;
  }
}

/** The heads of a folder's project, or all, newest first; of two with the same time the earlier in the list. */
export function newestOfProject(
  heads: readonly SessionHead[],
  cwd: string | undefined,
): readonly SessionHead[] {
  const project = cwd === undefined ? undefined : identifyProject(cwd).identity;
  const isOfProject = (head: SessionHead) =>
    project === undefined || (head.project !== undefined && sameProject(head.project, project));
  return heads
    .filter(isOfProject)
    .sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : a.updatedAt > b.updatedAt ? -1 : 0));
}
