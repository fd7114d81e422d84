import { readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { limits } from "../../../base/limits.ts";

/** The file a tool means, from the folder it works in. */
export function fileNamed(path: unknown, cwd: string): string {
  const given = String(path);
  return given.startsWith("~/") ? join(homedir(), given.slice(2)) : resolve(cwd, given);
}

/** The text of a file; undefined if there is none. Throws a sentence if it is not a text, or too much of it. */
export function textOfFile(file: string): string | undefined {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  if (stat.isDirectory()) throw new Error(`${file} is a folder.`);
  if (!stat.isFile()) throw new Error(`${file} is not a regular file.`);
  if (stat.size > limits.toolFileBytes) {
    throw new Error(
      `${file} has ${stat.size} bytes, too many to read. Look at parts of it with a command.`,
    );
  }
  const bytes = readFileSync(file);
  if (bytes.includes(0)) throw new Error(`${file} is not a text.`);
  return bytes.toString("utf8");
}
