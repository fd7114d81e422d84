import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { errnoOf, RepriseError } from "../base/errors.ts";
import { checkSessionId } from "../base/ids.ts";
import { sees } from "../base/look.ts";
import { fileNameOf, type Home } from "./home.ts";

/** The folders that hold session files: one per project, or the one folder of a flat store. */
export function sessionFolders(home: Home): readonly string[] {
  if (home.flat) return [home.sessions];
  return entriesOf(home.sessions)
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(home.sessions, entry.name));
}

/** The session files of one folder; links are not followed, so no name leads out of the store. */
export function sessionFilesIn(folder: string): readonly string[] {
  return entriesOf(folder)
    .filter(
      (entry) => entry.isFile() && entry.name.endsWith(".jsonl") && !entry.name.startsWith("."),
    )
    .map((entry) => `${folder}${sep}${entry.name}`);
}

/** The file of a session, or undefined. `near` is looked at first: forks lie beside their base. */
export function findSessionFile(
  home: Home,
  session: string,
  options: { readonly near?: string | undefined; readonly bases?: boolean } = {},
): string | undefined {
  const name = fileNameOf(checkSessionId(session));
  const folders = [
    ...(options.near === undefined ? [] : [dirname(options.near)]),
    ...(options.bases ? [home.bases] : []),
    ...sessionFolders(home),
  ];
  for (const folder of folders) {
    const path = join(folder, name);
    // As in listings, a link is not followed: no id leads out of the store.
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === false) return path;
  }
  return undefined;
}

/** Throws where a caller-given id equals another but for case: some file systems cannot tell them apart. */
export function refuseCaseTwin(folder: string, session: string): void {
  const wanted = fileNameOf(session);
  const twin = entriesOf(folder).find(
    ({ name }) => name !== wanted && name.toLowerCase() === wanted.toLowerCase(),
  );
  if (twin === undefined) return;
  throw new RepriseError("bad_id", `Session id ${session} differs from ${twin.name} in case only.`);
}

function entriesOf(folder: string): readonly Dirent[] {
  sees(folder);
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return [];
    throw error;
  }
}
