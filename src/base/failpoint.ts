import { pause } from "./pause.ts";

/**
 * Places where a process may be killed by the crash suite. `REPRISE_FAILPOINT=name` kills at the
 * first visit, `name:3` at the third. Unset, a failpoint is one comparison.
 */
export const failpoints = [
  "create.before-publish",
  "create.after-publish",
  "append.before-write",
  "append.half-written",
  "append.after-write",
  "append.after-sync",
  "mend.before-quarantine",
  "mend.after-quarantine",
  "mend.after-blank",
  "mend.half-written",
  "mend.after-write",
  "fork.before-publish",
  "fork.after-publish",
  "compact.before-append",
  "compact.after-append",
  "blob.before-write",
  "blob.half-written",
  "blob.after-write",
  "blob.after-sync",
  "lease.before-link",
  "lease.after-link",
  "lease.before-unlink",
  "remove.after-leaving",
  "remove.after-settling",
] as const;

/** Places where an addition to another program's store, or its undoing, may be killed. */
export const additionFailpoints = [
  "addition.half-staged",
  "addition.staged",
  "addition.intended",
  "addition.linked",
  "addition.published",
  "addition.opened",
  "addition.half-appended",
  "addition.appended",
  "addition.committed",
  "addition.compared",
  "addition.recorded",
  "addition.half-removed",
  "undo.intended",
  "undo.taken-back",
  "settings.intended",
  "settings.put",
  "settle.taken-back",
  "settle.concluded",
] as const;

/** Places where going back, or its undoing, may be killed. */
export const restoreFailpoints = [
  "restore.saved",
  "restore.staging",
  "restore.intended",
  "restore.step",
  "restore.applied",
  "restore.recorded",
] as const;

/** Where a process may be killed while it deletes a session. */
export const deleteFailpoints = [
  "delete.intended",
  "delete.half-removed",
  "delete.removed",
] as const;

export type Failpoint =
  | (typeof deleteFailpoints)[number]
  | (typeof failpoints)[number]
  | (typeof additionFailpoints)[number]
  | (typeof restoreFailpoints)[number]
  // While a session is read into the index.
  | "index.reading";

const [armedName, armedVisit = "1"] = (process.env["REPRISE_FAILPOINT"] ?? "").split(":");
let visitsLeft = Number(armedVisit);

/** Put behind the host's name, so that processes of one machine cannot examine each other, as across machines. */
export const standInHost = process.env["REPRISE_FAILPOINT_HOST"] ?? "";

/** Whether this visit of the failpoint is the one that kills. */
export function isArmed(name: Failpoint): boolean {
  if (armedName !== name) return false;
  visitsLeft -= 1;
  return visitsLeft === 0;
}

/** Ends the process as a crash would: no handlers, no flush. */
export function crash(): never {
  process.kill(process.pid, "SIGKILL");
  // The signal is delivered on the way back from the system call; never run past it.
  for (;;) pause(1000);
}

/** Marks a place a crash may happen. */
export function failpoint(name: Failpoint): void {
  if (armedName === name && isArmed(name)) crash();
}

/** Ends the process in the middle of a write: half of the bytes are there. */
export function tearAndCrash(
  disk: { write(fd: number, bytes: Uint8Array): number },
  fd: number,
  bytes: Uint8Array,
): never {
  disk.write(fd, bytes.subarray(0, bytes.length >> 1));
  crash();
}
