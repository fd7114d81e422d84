import { type ErrorCode, errnoOf, errorHints, RepriseError } from "./errors.ts";

/** What a refusal of the system means. */
interface Refusal {
  readonly code: ErrorCode;
  /** Why, said of a file: the end of a sentence that names it. */
  readonly why: string;
  /** What to do about it; the code's own hint if absent. */
  readonly hint?: string;
}

const kept = "What was acknowledged before is safe.";

/** By errno: the only place that knows what they mean to us. */
const refusals: Readonly<Record<string, Refusal>> = {
  ENOENT: { code: "not_found", why: "it is not there" },
  ENOTDIR: { code: "not_found", why: "a part of its path is not a folder" },
  EACCES: { code: "no_permission", why: "permission is denied" },
  EPERM: { code: "no_permission", why: "it is not permitted" },
  EROFS: {
    code: "no_permission",
    why: "its file system is read-only",
    hint: "Make the file system writable, or choose another place.",
  },
  EISDIR: { code: "not_a_file", why: "it is a folder" },
  ELOOP: {
    code: "not_a_file",
    why: "its symbolic links lead in a circle",
    hint: "Mend or remove the symbolic link.",
  },
  ENXIO: { code: "not_a_file", why: "it is not a regular file" },
  ENAMETOOLONG: { code: "bad_input", why: "its name is too long", hint: "Use a shorter name." },
  EMFILE: { code: "too_many_files", why: "this process has too many files open" },
  ENFILE: {
    code: "too_many_files",
    why: "the system has too many files open",
    hint: "Close other programs, then try again.",
  },
  EIO: { code: "failed", why: "the disk does not answer", hint: "Check the disk, then try again." },
  ENOSPC: { code: "write_failed", why: "the disk is full", hint: `The disk may be full. ${kept}` },
  EDQUOT: {
    code: "write_failed",
    why: "the quota is used up",
    hint: `Your quota of disk space may be used up. ${kept}`,
  },
  EFBIG: {
    code: "write_failed",
    why: "it would become larger than allowed",
    hint: `The file may not grow any more: see \`ulimit -f\`. ${kept}`,
  },
};

/** Whether an error is what the system said, and no fault of ours. */
export function isOfSystem(error: unknown): boolean {
  return /^E[A-Z0-9]+$/.test(errnoOf(error) ?? "");
}

/** Why the system refused, as the end of a sentence that names the file: `it is not there (ENOENT)`. */
export function whyRefused(error: unknown): string {
  if (!isOfSystem(error)) return error instanceof Error ? error.message : String(error);
  const errno = errnoOf(error)!;
  const why = refusalOf(error)?.why;
  return why === undefined ? errno : `${why} (${errno})`;
}

/** The error of an operation that the system refused: code and hint by its errno, `failed` for an unknown one. */
export function systemError(cause: unknown, message: string): RepriseError {
  const refusal = refusalOf(cause);
  const { hint } = refusal ?? {};
  return new RepriseError(refusal?.code ?? "failed", message, {
    cause,
    ...(hint !== undefined && { hint }),
  });
}

/** What may keep a write from happening besides the disk. */
const beforeWriting: ReadonlySet<ErrorCode> = new Set(["no_permission", "too_many_files"]);

/**
 * The error of a write that failed: `no_permission` where it was not allowed, `too_many_files` where no file could
 * be opened, else `write_failed`. A short write has no cause and means a full disk.
 */
export function writeError(cause: unknown, message: string): RepriseError {
  const errno = cause === undefined ? "ENOSPC" : errnoOf(cause);
  const refusal = refusalOf({ code: errno });
  const code =
    refusal !== undefined && beforeWriting.has(refusal.code) ? refusal.code : "write_failed";
  const hint = refusal?.hint ?? errorHints[code];
  return new RepriseError(code, message, { cause, hint, details: { errno } });
}

function refusalOf(error: unknown): Refusal | undefined {
  const errno = errnoOf(error) ?? "";
  return Object.hasOwn(refusals, errno) ? refusals[errno] : undefined;
}

/** What the system said as an error of ours, with a code and a hint; every other error as it is. */
export function clearError(error: unknown): unknown {
  if (!isOfSystem(error)) return error;
  const { path } = error as NodeJS.ErrnoException;
  return systemError(error, `${path ?? "The disk"} cannot be used: ${whyRefused(error)}.`);
}

/** Gives what another gives, and throws what the system says to it as an error of ours. */
export function* clearEach<T>(items: () => Iterable<T>): Generator<T> {
  try {
    yield* items();
  } catch (error) {
    throw clearError(error);
  }
}

/** Does something, and throws what the system says to it as an error of ours. */
export function clearly<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw clearError(error);
  }
}
