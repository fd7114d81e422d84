import { isRepriseError, RepriseError } from "../base/errors.ts";
import { whyRefused, writeError } from "../base/system-error.ts";

/** What to throw where the disk refused content. */
export function refused(error: unknown): unknown {
  if (isRepriseError(error)) return error;
  return writeError(error, `A blob could not be written: ${whyRefused(error)}.`);
}

/** What to throw where content that was written may be lost. */
export function unsettled(cause?: unknown): RepriseError {
  return new RepriseError("sync_failed", "The disk did not confirm that content was written.", {
    cause,
  });
}

/** What to throw where nothing of a name is stored. */
export function missing(name: string): RepriseError {
  return new RepriseError("blob_missing", `There is no blob ${name}.`, { details: { blob: name } });
}

/** What to throw where something else than a name says is stored. */
export function damaged(name: string): RepriseError {
  return new RepriseError("damaged", `Blob ${name} is not what its name says.`, {
    details: { blob: name },
  });
}
