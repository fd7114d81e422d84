import { realpathSync } from "node:fs";

const longest = 200;

/** The name of the folder Claude Code keeps a working folder's sessions in. */
export function projectFolder(cwd: string): string {
  const path = realPath(cwd);
  const name = path.replace(/[^A-Za-z0-9]/g, "-");
  return name.length <= longest ? name : `${name.slice(0, longest)}-${hash(path)}`;
}

/** A 32-bit hash over the UTF-16 units of the path, as the program computes it. */
function hash(path: string): string {
  let value = 0;
  for (let index = 0; index < path.length; index += 1)
    value = (value * 31 + path.charCodeAt(index)) | 0;
  return Math.abs(value).toString(36);
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
