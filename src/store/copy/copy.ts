import { createHash } from "node:crypto";
import { isRepriseError, RepriseError } from "../../base/errors.ts";
import { blobNamesIn } from "../../blobs/names-in.ts";
import { noSession } from "../log-store.ts";
import type { RawSession, RawStore } from "./raw-store.ts";

/** What becomes of a session: it is copied, there already, or left for a reason. */
export interface PlannedCopy {
  readonly session: RawSession;
  readonly action: "copy" | "same" | "leave";
  readonly why?: string;
}

/** What copying one session came to. */
export interface Copied {
  readonly session: string;
  readonly sizeBytes: number;
  readonly blobs: number;
  /** Blobs that the session names and the source has not: they are missing in the copy as well. */
  readonly missingBlobs: number;
}

/** Says what copying would do, with the sessions that others stand on before them; all sessions unless some are named. */
export function planCopy(
  from: RawStore,
  to: RawStore,
  sessions: readonly string[] = [],
): readonly PlannedCopy[] {
  const planned = new Map<string, PlannedCopy>();
  const plan = (session: RawSession): PlannedCopy => {
    const known = planned.get(session.session);
    if (known !== undefined) return known;
    const made = planOne(
      session,
      to,
      session.base === undefined ? undefined : baseOf(session.base),
    );
    planned.set(session.session, made);
    return made;
  };
  const baseOf = (base: string): PlannedCopy | undefined => {
    const found = from.find(base);
    return found === undefined ? undefined : plan(found);
  };
  if (sessions.length === 0) for (const session of from.list()) plan(session);
  for (const id of sessions) {
    const session = from.find(id);
    if (session === undefined || session.isHidden) throw noSession(id);
    plan(session);
  }
  return [...planned.values()];
}

function planOne(session: RawSession, to: RawStore, base: PlannedCopy | undefined): PlannedCopy {
  const leave = (why: string): PlannedCopy => ({ session, action: "leave", why });
  if (session.problem !== undefined) return leave(session.problem);
  if (session.base !== undefined && base === undefined)
    return leave(`session ${session.base}, which it stands on, is missing`);
  if (base?.action === "leave")
    return leave(`session ${session.base}, which it stands on, is left`);
  const there = to.find(session.session);
  if (there === undefined) return { session, action: "copy" };
  if (there.sizeBytes === session.sizeBytes && hashOf(there) === hashOf(session))
    return { session, action: "same" };
  return leave("another session with this id exists, or the session has changed since");
}

/** Copies one session with its blobs, reads the copy back, and throws `damaged` if a byte differs. */
export function copySession(from: RawStore, to: RawStore, session: RawSession): Copied {
  const names = new Set(blobNamesIn(session.pieces()));
  const blobs = new Map<string, () => Buffer>();
  let missingBlobs = 0;
  for (const name of names) {
    if (from.blob(name) === undefined) missingBlobs += 1;
    else blobs.set(name, () => from.blob(name)!);
  }
  to.add(session, blobs);
  const copy = to.find(session.session);
  if (copy === undefined || hashOf(copy) !== hashOf(session)) throw notEqual(session.session);
  for (const [name, stored] of blobs) {
    if (to.blob(name)?.equals(stored()) !== true) throw notEqual(session.session);
  }
  const { sizeBytes } = session;
  return { session: session.session, sizeBytes, blobs: blobs.size, missingBlobs };
}

/** Whether an error concerns one session alone: the others can still be copied. */
export function isOfOneSession(error: unknown): error is RepriseError {
  return ["damaged", "too_large", "session_exists", "not_found", "bad_id"].some((code) =>
    isRepriseError(error, code as RepriseError["code"]),
  );
}

function notEqual(session: string): RepriseError {
  return new RepriseError("damaged", `The copy of session ${session} is not equal to it.`);
}

function hashOf(session: RawSession): string {
  const hash = createHash("sha256");
  for (const piece of session.pieces()) hash.update(piece);
  return hash.digest("hex");
}
