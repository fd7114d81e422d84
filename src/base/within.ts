import { sep } from "node:path";

/** Whether an absolute path is a folder or lies in it; both as `resolve` or the disk gives them. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
