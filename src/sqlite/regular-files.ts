import { statSync } from "node:fs";
import { RepriseError } from "../base/errors.ts";
import { systemError, whyRefused } from "../base/system-error.ts";

/**
 * Throws where a database is not there, or it or one of the files beside it is not a regular file: SQLite would wait for
 * a pipe without end.
 */
export function checkRegularFiles(path: string): void {
  for (const side of ["", "-wal", "-shm", "-journal"]) {
    const stat = statOf(`${path}${side}`);
    if (stat === undefined && side === "")
      throw new RepriseError("not_found", `There is no database ${path}.`);
    if (stat !== undefined && !stat.isFile())
      throw new RepriseError("not_a_file", `${path}${side} is not a regular file.`, {
        hint: "Look at what is there; a database and its logs are regular files.",
      });
  }
}

function statOf(path: string): ReturnType<typeof statSync> {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw systemError(error, `${path} cannot be opened: ${whyRefused(error)}.`);
  }
}
