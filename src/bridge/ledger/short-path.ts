import { isAbsolute, relative } from "node:path";

/** Inside the project the way from its folder says enough. */
export function shortPath(file: string, cwd: string | undefined): string {
  if (cwd === undefined || !isAbsolute(file)) return file;
  const way = relative(cwd, file);
  return way === "" || way.startsWith("..") ? file : way;
}
