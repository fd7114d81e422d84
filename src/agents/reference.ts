import { realpathSync, statSync } from "node:fs";
import { extname, resolve } from "node:path";
import { RepriseError } from "../base/errors.ts";
import { limits } from "../base/limits.ts";
import { idOfHead } from "../model/head-name.ts";
import { oneLine } from "../model/text.ts";
import type { Agent } from "./contract.ts";
import { eventName } from "./event-name.ts";
import { sessionsInFile, withHeads } from "./file-elsewhere.ts";
import {
  type FoundSession,
  findSessions,
  locateSessions,
  type Search,
  sessionsOfFolder,
  updatedMs,
} from "./find-sessions.ts";
import { agentMeant } from "./known-agent.ts";

/** What a reference names: a session, and an event of it where one was asked for. */
export interface NamedSession extends FoundSession {
  /** The event's number, or the agent's own id of it. */
  readonly event?: string;
}

/**
 * Finds the one session a reference means: `@last` or `agent:@last`, a path, `agent:id`, an id or its beginning, a tag,
 * or words of the title, in this order; and `@57` or any other name of an event (`agents/event-name.ts`) behind it.
 */
export function resolveReference(text: string, search: Search): NamedSession {
  const whole = sessionsFor(text, search);
  if (whole.length > 0) return only(text, whole);
  const parts = splitEvent(text);
  if (parts !== undefined) {
    const found = sessionsFor(parts.session, search);
    if (found.length > 0) return { ...only(parts.session, found), event: parts.event };
  }
  throw noSession(`No session matches ${JSON.stringify(text)}.`, search, fileHint(text));
}

/** Every session that a reference without an event means, in the order of the list. */
export function sessionsMeant(text: string, search: Search): readonly FoundSession[] {
  return [...sessionsFor(text, search)].sort((a, b) => updatedMs(b) - updatedMs(a));
}

/** What helps someone who named a file of a project instead of a session. */
function fileHint(text: string): string | undefined {
  return /^[\w./-]+\.[A-Za-z]\w{0,5}$/.test(text) && !/\.jsonl?$/.test(text)
    ? `Sessions that touched a file: \`reprise search --file ${text}\`.`
    : undefined;
}

/** What a newcomer is reported who asked for sessions. */
export const noSessionYet =
  "No agent's session was found on this machine. Try the sample: `reprise --sample list`, or add the home of another machine: `reprise sources add <folder>`.";

/** The error where no session is what was asked for; a newcomer is shown to the sample, others `hint`. */
export function noSession(message: string, search: Search, hint?: string): RepriseError {
  for (const _located of locateSessions(search))
    return new RepriseError("not_found", message, hint === undefined ? {} : { hint });
  return new RepriseError("not_found", message, {
    hint: noSessionYet,
  });
}

/** The reference that names a session whatever else is there: `agent:` and its id, or its path if no store holds it. */
export function referenceTo({ agent, head }: FoundSession): string {
  return `${agent.name}:${idOfHead(head)}`;
}

/** The beginning of an id that people read: of a time-ordered one the whole time, so that it differs. */
export function shortId(id: string): string {
  if (/^[0-9a-f]{8}-[0-9a-f]{4}-7/i.test(id)) return id.slice(0, 13);
  if (/^[0-9a-f]{8}(?:-|[0-9a-f]*$)/i.test(id)) return id.slice(0, 8);
  return id.slice(0, /^ses_[0-9a-f]{12}/.test(id) ? 16 : 24);
}

/** A reference of the form `agent:id` with the beginning of the id that people read. */
export function shortReference(reference: string): string {
  const colon = reference.indexOf(":") + 1;
  return `${reference.slice(0, colon)}${shortId(reference.slice(colon))}`;
}

/** For each id that is shown, all if absent, the beginning that people read and that no other of the ids has. */
export function shortIds(
  ids: readonly string[],
  shown?: Iterable<string>,
): ReadonlyMap<string, string> {
  const sorted = [...new Set(ids)].sort();
  const wanted = shown && new Set(shown);
  const short = new Map<string, string>();
  for (const [index, id] of sorted.entries()) {
    if (wanted?.has(id) === false) continue;
    const shared = Math.max(
      sharedStart(id, sorted[index - 1] ?? ""),
      sharedStart(id, sorted[index + 1] ?? ""),
    );
    short.set(id, id.slice(0, Math.max(shortId(id).length, shared + 1)));
  }
  return short;
}

function sharedStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}

/** A name of an event holds no `@` and no `#`, as transcripts print it: what stands behind the last one may be it. */
function splitEvent(
  text: string,
): { readonly session: string; readonly event: string } | undefined {
  const at = Math.max(text.lastIndexOf("@"), text.lastIndexOf("#"));
  const event = text.slice(at + 1);
  return at > 0 && eventName.test(event) ? { session: text.slice(0, at), event } : undefined;
}

function sessionsFor(text: string, search: Search): readonly FoundSession[] {
  if (text === "") return [];
  const { agents, rest } = chosenAgents(text, search);
  const narrowed = { ...search, agents };
  if (rest === "@last") return newest(narrowed);
  const byPath = search.takesPaths === false ? [] : sessionsAtPath(rest, narrowed);
  if (byPath.length > 0) return byPath;
  const byId = sessionsById(rest, narrowed);
  if (byId.length > 0) return byId;
  const every = findSessions(narrowed, { subagents: true });
  // It may lie in a project that only other sessions tell of.
  const late = every.filter(({ head }) => beginsWith(head.session, rest));
  if (late.length > 0) return late;
  const all = every.filter(({ head }) => head.relation?.kind !== "subagent");
  const byTag = all.filter(({ head }) => head.tags?.includes(rest) === true);
  return byTag.length > 0 ? byTag : byTitle(rest, all);
}

/** The newest conversation of this project, or of all where this project has none. */
function newest(search: Search): readonly FoundSession[] {
  const all = findSessions(search, { kind: "conversation" });
  const here = new Set(sessionsOfFolder(all, search.env.cwd));
  const [first = all[0]] = all.filter((session) => here.has(session));
  return first === undefined ? [] : [first];
}

function chosenAgents(
  text: string,
  search: Search,
): { readonly agents: readonly Agent[]; readonly rest: string } {
  const colon = text.indexOf(":");
  const names = search.agents.map(({ name }) => name);
  const meant = colon < 1 ? undefined : agentMeant(text.slice(0, colon), names);
  const chosen = search.agents.filter(({ name }) => name === meant);
  return chosen.length === 0
    ? { agents: search.agents, rest: text }
    : { agents: chosen, rest: text.slice(colon + 1) };
}

function sessionsById(prefix: string, search: Search): readonly FoundSession[] {
  const candidates = [...locateSessions(search)].filter(({ ref }) =>
    beginsWith(ref.session, prefix),
  );
  const exact = candidates.filter(({ ref }) => ref.session.length === prefix.length);
  return withHeads(exact.length > 0 ? exact : candidates, search);
}

function beginsWith(id: string, prefix: string): boolean {
  return id.toLowerCase().startsWith(prefix.toLowerCase());
}

/** The session in a file: one of the located, or a file that lies elsewhere and an agent understands. */
function sessionsAtPath(text: string, search: Search): readonly FoundSession[] {
  if (!/[/\\]/.test(text) && extname(text) === "") return [];
  const path = resolve(
    search.folder ?? search.env.cwd,
    text.startsWith("~/") ? search.env.home + text.slice(1) : text,
  );
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined || !stat.isFile()) return [];
  const located = [...locateSessions(search)];
  const named = located.filter(({ ref }) => ref.path === path);
  if (named.length > 0) return withHeads(named, search);
  // Only where nobody calls the file so are the links followed.
  const real = realpathSync(path);
  const known = located.filter(({ ref }) => realOf(ref.path) === real);
  if (known.length > 0) return withHeads(known, search);
  return sessionsInFile(path, search);
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function byTitle(text: string, all: readonly FoundSession[]): readonly FoundSession[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const titleOf = ({ head }: FoundSession): string => head.title?.toLowerCase() ?? "";
  const exact = all.filter((session) => titleOf(session) === text.toLowerCase());
  if (exact.length > 0) return exact;
  return all.filter((session) => words.every((word) => titleOf(session).includes(word)));
}

function only(text: string, found: readonly FoundSession[]): FoundSession {
  // What a program keeps about a session has the session's own id.
  const conversations = found.filter(({ head }) => head.kind === undefined);
  const [first, second] = conversations.length > 0 ? conversations : found;
  if (first !== undefined && second === undefined) return first;
  const newestFirst = [...found].sort((a, b) => updatedMs(b) - updatedMs(a));
  // One id may lie in two files, such as a copy; then only the path distinguishes them.
  const names = found.map(referenceTo);
  const refOf = (session: FoundSession): string => {
    const name = referenceTo(session);
    const isTold = names.indexOf(name) === names.lastIndexOf(name);
    return isTold ? name : `${session.agent.name}:${session.head.path}`;
  };
  const isOneId = new Set(found.map(({ head }) => head.session)).size === 1;
  throw new RepriseError("ambiguous", `${JSON.stringify(text)} matches ${found.length} sessions:`, {
    ...(isOneId && {
      hint: `Their ids are the same: type one of these names, such as \`${refOf(newestFirst[0]!)}\`.`,
    }),
    details: {
      reference: text,
      count: found.length,
      candidates: newestFirst.slice(0, limits.candidates).map((session) => ({
        ref: refOf(session),
        title: oneLine(session.head.title ?? "", 60),
        path: session.head.path,
      })),
    },
  });
}
