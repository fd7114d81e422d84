import { join } from "node:path";
import { namesIn, smallFile } from "../../base/folders.ts";
import { limits } from "../../base/limits.ts";

/** The folder with the pages of a project. */
export function folderIn(project: string): string {
  return join(project, ".claude", "sessions");
}

/** The name of the file that names the open page. */
export const currentName = ".current-session";

// A name from a file becomes a path only as a plain name.
const pageName = /^[\w][\w .()-]{0,200}\.md$/;

/** The pages of a project; a missing folder costs one look. */
export function pagesOf(project: string): readonly string[] {
  const folder = folderIn(project);
  const names = namesIn(folder).filter((name) => pageName.test(name));
  return names.map((name) => join(folder, name));
}

/** The page that is open in a project; undefined if none is: ended is emptied, not deleted. */
export function currentPage(project: string): string | undefined {
  const folder = folderIn(project);
  const name = smallFile(join(folder, currentName), limits.chunkBytes)?.trim() ?? "";
  return pageName.test(name) ? join(folder, name) : undefined;
}

/** Whether a path is where the program keeps a page, whatever project it is of. */
export function isPagePath(path: string): boolean {
  return /[/\\]\.claude[/\\]sessions[/\\][^/\\.][^/\\]*\.md$/.test(path);
}
