/** Every way an operation can fail, with the hint that says the user what to do. */
export const errorHints = {
  session_busy: "Another process writes to this session. Wait for it, or close it, then try again.",
  conflict: "The session has new events. Read them, then append after the last id.",
  not_found: "Run `reprise list --all` to see what is there.",
  ambiguous: "Give more of the id, or `agent:id`.",
  session_exists: "Choose another id, or open the existing session.",
  bad_id: "Ids are 1 to 128 of A-Z a-z 0-9 . _ - and do not begin with a dot.",
  bad_event: "See docs/format.md for the fields of each event type.",
  bad_input: "Check the input; nothing was written.",
  too_large: "The limits are in docs/format.md; put large content into a string of its own.",
  window_exceeded:
    "Shorten what is to be appended, or use a model with a larger window: `details` has the sizes in tokens.",
  newer_format: "This file was written by a newer reprise. Update with `npm i -g reprise`.",
  not_a_session: "The first line must be a session_start event.",
  damaged: "Run `reprise verify` to see where. Nothing was changed.",
  changed_outside: "Another program changed the file. Reopen the session and try again.",
  lease_lost:
    "Another process took the session over while this one was silent. Read the session, then append again.",
  write_failed: "The system refused the write. What was acknowledged before is safe.",
  sync_failed: "The disk did not confirm the write. Reopen the session and check the named ids.",
  aborted: "The caller's signal stopped it. Nothing was written.",
  closed: "Open the session again.",
  sealed: "Set REPRISE_KEY or give the passphrase.",
  wrong_key: "The key does not open this session. Nothing was changed.",
  network_fs: "Leases are not safe on network file systems. Set allowNetworkFs to use them anyway.",
  too_many_files: "Close files, or allow more of them with `ulimit -n`, then try again.",
  no_permission: "Check who owns the file and its mode.",
  not_a_file: "A session is a regular file.",
  blob_missing: "The content is not in the blob store. Restore it from a backup.",
  model_failed: "What was said before is kept. Try again, or continue with another model.",
  no_model: "Give a model: see `reprise chat --help`, or try `--model offline`.",
  budget_full:
    "`reprise checkpoint status` shows what checkpoints take; `reprise checkpoint delete` makes room.",
  failed: "Run it again with REPRISE_DEBUG=1 to see where it went wrong.",
  usage: "See `reprise --help`.",
  unsupported: "This agent does not offer that.",
  needs_yes: "Look at the plan, then run it again with --yes.",
  no_sqlite: "Run `npm i @photostructure/sqlite`, or use Node 22.16 or newer.",
  nothing_to_undo: "`reprise undo --list` shows what can be undone.",
} as const;

/** One of the codes in the table above. */
export type ErrorCode = keyof typeof errorHints;

/** The one error class: a stable code, a sentence for people, a hint, and facts for programs. */
export class RepriseError extends Error {
  /** What people see of it; the entry is minified. */
  static override readonly name = "RepriseError";
  readonly code: ErrorCode;
  readonly hint: string;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    code: ErrorCode,
    message: string,
    options: {
      readonly cause?: unknown;
      readonly hint?: string;
      readonly details?: Readonly<Record<string, unknown>>;
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "RepriseError";
    this.code = code;
    this.hint = options.hint ?? errorHints[code];
    this.details = options.details ?? {};
  }
}

/** Whether an error is ours, optionally with one code. */
export function isRepriseError(error: unknown, code?: ErrorCode): error is RepriseError {
  // By name: a program may hold the library twice, bundled and not.
  const ours = error instanceof Error && error.name === "RepriseError" && "code" in error;
  return ours && (code === undefined || error.code === code);
}

/** The errno code of a system error, such as `ENOENT`. */
export function errnoOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
