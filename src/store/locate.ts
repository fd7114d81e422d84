import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import { withRoom } from "../base/descriptors.ts";
import { errnoOf, RepriseError } from "../base/errors.ts";
import { checkSessionId } from "../base/ids.ts";
import { systemError, whyRefused } from "../base/system-error.ts";
import { fileNameOf, type Home, leavingEnd, leavingPath } from "./home.ts";

/** The folders that hold session files: one per project, or the one folder of a flat store. */
export function sessionFolders(home: Home): readonly string[] {
  if (home.flat) return [home.sessions];
  return entriesOf(home.sessions)
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(home.sessions, entry.name));
}

/** The session files of one folder; links are not followed, so no name leads out of the store. */
export function sessionFilesIn(folder: string): readonly string[] {
  return filesIn(folder, ".jsonl");
}

/** Sessions on their way out, as a removal under way or a killed one left them. */
export function leavingFiles(home: Home): readonly string[] {
  return filesIn(home.bases, leavingEnd);
}

/** The files of a folder whose names end so; throws where it is there but cannot be listed. */
export function filesIn(folder: string, end = ""): readonly string[] {
  return entriesOf(folder)
    .filter((entry) => entry.isFile() && entry.name.endsWith(end) && !entry.name.startsWith("."))
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
    if (isThere(path)) return path;
  }
  return undefined;
}

/** The file a fork stands on, wherever a removal may have brought it. */
export function findBaseFile(home: Home, session: string, near: string): string | undefined {
  const find = () => findSessionFile(home, session, { near, bases: true });
  const leaving = () => {
    const path = leavingPath(home, session);
    return isThere(path) ? path : undefined;
  };
  // Found to be used, it comes back from where it was leaving to, perhaps right after it was looked for.
  return find() ?? leaving() ?? find();
}

/** As in listings, a link is not followed: no id leads out of the store. */
function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === false;
}

/** Throws where a new session may not have an id: it is taken, or its files would have the names of others. */
export function refuseUsedId(home: Home, folder: string, session: string): void {
  // Its lease and what mending sets aside would be taken for the journal's.
  if (session.toLowerCase() === basename(home.journal, ".jsonl")) {
    throw new RepriseError(
      "bad_id",
      `Session id ${session} is refused: the journal has that name.`,
      {
        hint: "Choose another id.",
      },
    );
  }
  refuseCaseTwin(folder, session);
  if (findSessionFile(home, session, { bases: true }) !== undefined) {
    throw new RepriseError("session_exists", `Session ${session} already exists.`);
  }
}

/** Some file systems cannot tell names apart that are equal but for case. */
function refuseCaseTwin(folder: string, session: string): void {
  const wanted = fileNameOf(session);
  const twin = entriesOf(folder).find(
    ({ name }) => name !== wanted && name.toLowerCase() === wanted.toLowerCase(),
  );
  if (twin === undefined) return;
  throw new RepriseError("bad_id", `Session id ${session} differs from ${twin.name} in case only.`);
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return withRoom(() => readdirSync(folder, { withFileTypes: true }));
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return [];
    throw systemError(error, `${folder} cannot be listed: ${whyRefused(error)}.`);
  }
}
