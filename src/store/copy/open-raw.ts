import { lstatSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Environment } from "../../base/env.ts";
import { RepriseError } from "../../base/errors.ts";
import { readOpen } from "../../base/open-file.ts";
import { readFully } from "../../base/read-fully.ts";
import { folderHome, homeAt, userHome } from "../home.ts";
import { realPathOf } from "../project.ts";
import { FileSessions } from "./file-sessions.ts";
import type { RawStore } from "./raw-store.ts";
import { RowSessions } from "./row-sessions.ts";

const databaseNames = /\.(db|sqlite|sqlite3)$/i;
const databaseMark = "SQLite format 3\0";

/**
 * Opens the store that a path means: a database by its content or, if it is to be made, by its name; else a folder,
 * the user's own store where it is that.
 */
export function openRaw(
  path: string,
  { env, mustExist }: { readonly env: Environment; readonly mustExist: boolean },
): RawStore {
  const place = resolve(env.cwd, path);
  const stat = statSync(place, { throwIfNoEntry: false });
  if (stat === undefined && mustExist) {
    throw new RepriseError("not_found", `There is no store at ${place}.`, {
      hint: "Name a folder of session files, a home of reprise, or a database.",
    });
  }
  if (stat?.isFile() ? isDatabase(place, stat.size) : !stat && databaseNames.test(place))
    return new RowSessions(place);
  if (stat !== undefined && !stat.isDirectory()) {
    throw new RepriseError("bad_input", `${place} is neither a folder nor a database.`);
  }
  const user = userHome(env);
  if (realPathOf(place) === realPathOf(user.root)) return new FileSessions(place, user);
  const isHome = lstatSync(join(place, "sessions"), { throwIfNoEntry: false })?.isDirectory();
  return new FileSessions(place, isHome ? homeAt(place) : folderHome(place));
}

function isDatabase(path: string, size: number): boolean {
  if (size === 0) return true;
  return readOpen(
    path,
    (fd) =>
      readFully(fd, { from: 0, length: databaseMark.length }).toString("latin1") === databaseMark,
    false,
  );
}
