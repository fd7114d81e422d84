import type { ResumeCommand } from "../agents/contract.ts";
import type { FoundSession } from "../agents/find-sessions.ts";
import { type OnMachine, sessionGiven } from "../agents/library.ts";
import type { NamedSession } from "../agents/reference.ts";
import { everyAgent } from "../agents/user-agents.ts";
import { processEnvironment } from "../base/env.ts";
import { beginChange } from "../store/begin-change.ts";
import { describeEntry, type UndoableEntry } from "../store/describe-entry.ts";
import { userHome } from "../store/home.ts";
import { undo, undoableEntries } from "../store/undo.ts";
import { type ConvertReport, convert, planConversion } from "./convert.ts";
import { registerConversions } from "./journal.ts";
import { type ConversionOptions, conversionRequest } from "./request.ts";

/** How a session is converted, and on which machine. */
export interface ConvertOptions extends ConversionOptions, OnMachine {}

/** What a conversion wrote, what it could not carry over, and how to continue. */
export interface ConvertedSession extends ConvertReport {
  /** The new session in the target's own store. */
  readonly session: FoundSession;
  /** The number by which `undo` takes it back. */
  readonly entry: number;
  /** The command that continues it in the target; absent where the target has none. */
  readonly resume?: ResumeCommand;
}

/** What was taken back, and what that did. */
export interface UndoneEntry {
  readonly undone: UndoableEntry;
  readonly did: string;
}

/** Says what a conversion would carry over and what it would lose; nothing is written. */
export async function plan(
  session: string | NamedSession,
  options: ConvertOptions,
): Promise<ConvertReport> {
  return planConversion(await requestOf(session, options));
}

/**
 * Writes a session into the store of another agent, or of its own: staged, published without overwriting, read back with the
 * target's reader and compared. The session it was made from is never changed.
 */
export async function convertSession(
  session: string | NamedSession,
  options: ConvertOptions,
): Promise<ConvertedSession> {
  const request = await requestOf(session, options);
  const { env, target } = request;
  const { written, entry, ...report } = await changing(options, () => convert(request));
  const { ref } = written;
  const made = { agent: target, ref, head: target.head(ref, env) ?? request.head };
  const resume = target.resume?.(ref, made.head);
  return { ...report, session: made, entry, ...(resume !== undefined && { resume }) };
}

/** What can be taken back here, newest first: conversions, imports, rewinds, prunes, and titles, tags and pins. */
export async function undoable(options: OnMachine = {}): Promise<readonly UndoableEntry[]> {
  const { env = processEnvironment() } = options;
  registerConversions();
  const home = userHome(env);
  return undoableEntries(home).map((entry) => describeEntry(home, entry));
}

/**
 * Takes an entry back, the newest where none is named. Throws `conflict` where what was added has been changed since, and
 * `nothing_to_undo`.
 */
export async function undoEntry(entry?: number, options: OnMachine = {}): Promise<UndoneEntry> {
  const { env = processEnvironment() } = options;
  registerConversions();
  const { undone, did } = await changing(options, () => undo(userHome(env), entry, env));
  return { undone, did };
}

async function requestOf(session: string | NamedSession, options: ConvertOptions) {
  const { env = processEnvironment(), ...conversion } = options;
  const found = await sessionGiven(session, { env });
  return conversionRequest(found, conversion, { env, agents: await everyAgent() });
}

/** Settles what killed processes left, then does the work under a note of this process. */
async function changing<T>(options: OnMachine, work: () => Promise<T>): Promise<T> {
  const { env = processEnvironment() } = options;
  const register = async (): Promise<void> => registerConversions();
  const running = await beginChange({ env, register, tell: () => undefined });
  try {
    return await work();
  } finally {
    running?.end();
  }
}
