import { type Dirent, readdirSync } from "node:fs";
import { errnoOf } from "../base/errors.ts";
import { clearError } from "../base/system-error.ts";
import { mayHaveLost, nameOfBytes, pathFor } from "./file-name.ts";

/** One name of a folder; what is not a folder may turn out to be anything. */
export interface ListedName {
  readonly name: string;
  readonly isFolder: boolean;
}

/** The names in a folder in the order of the names; undefined if it cannot be listed. */
export function listFolder(path: string): readonly ListedName[] | undefined {
  try {
    const entries = readdirSync(pathFor(path), { withFileTypes: true });
    const isTexts = !entries.some(({ name }) => mayHaveLost(name));
    const listed = isTexts
      ? entries.map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }))
      : listBytes(path);
    return listed.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  } catch (error) {
    throwIfOutOfFiles(error);
    return undefined;
  }
}

/** Throws where it was this process that could not look: nothing is wrong with what it looked at. */
export function throwIfOutOfFiles(error: unknown): void {
  if (/^(?:EMFILE|ENFILE|ENOMEM)$/.test(errnoOf(error) ?? "")) throw clearError(error);
}

/** Some name is no UTF-8, or holds the sign that Node puts in its place. */
function listBytes(path: string): ListedName[] {
  const entries = readdirSync(pathFor(path), {
    withFileTypes: true,
    encoding: "buffer",
  }) as unknown as readonly (Omit<Dirent, "name"> & { readonly name: Buffer })[];
  return entries.map((entry) => ({
    name: nameOfBytes(entry.name),
    isFolder: entry.isDirectory(),
  }));
}
