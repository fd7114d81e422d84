import { realpathSync, statSync } from "node:fs";
import { extname, resolve } from "node:path";
import { RepriseError } from "../base/errors.ts";
import type { JsonObject } from "../base/json.ts";
import { limits } from "../base/limits.ts";
import { idOfHead } from "../model/head-name.ts";
import { oneLine } from "../model/text.ts";
import { byTitle, isCalled } from "./by-title.ts";
import type { Agent } from "./contract.ts";
import { eventName } from "./event-name.ts";
import { sessionsInFile, withHeads } from "./file-elsewhere.ts";
import {
  type FoundSession,
  findSessions,
  locateSessions,
  type Search,
  sessionsOfFolder,
} from "./find-sessions.ts";
import { agentMeant } from "./known-agent.ts";
import { newestFirst } from "./newest-sessions.ts";

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
  if (whole.length > 0) return only(text, whole, search);
  const parts = splitEvent(text);
  if (parts !== undefined) {
    const found = sessionsFor(parts.session, search);
    if (found.length > 0) return { ...only(parts.session, found, search), event: parts.event };
  }
  throw noSuchId(text, search) ?? noSession(noMatch(text), search, fileHint(text, search));
}

function noMatch(text: string): string {
  return `No session matches ${JSON.stringify(text)}.`;
}

/** Every session that a reference without an event means: what it fits best first, then the newest. */
export function sessionsMeant(text: string, search: Search): readonly FoundSession[] {
  return sessionsFor(text, search);
}

/** What helps someone who named a file of a project instead of a session. */
function fileHint(text: string, search: Search): string | undefined {
  const isNamedSo = /^[\w./-]+\.[A-Za-z]\w{0,5}$/.test(text) && !/\.jsonl?$/.test(text);
  const isThere = (): boolean => {
    const path = resolve(search.folder ?? search.env.cwd, text);
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  };
  const mayBeThere = search.takesPaths !== false && /^[\w./-]+$/.test(text);
  if (!isNamedSo && !(mayBeThere && isThere())) return undefined;
  return `For a file: \`reprise blame ${text}\` says who wrote it, \`reprise search --file ${text} --tool edit\` which sessions changed it.`;
}

/** The error where `agent:word` is no id, but a word of titles: it may be the id of a session that is gone. */
function noSuchId(text: string, search: Search): RepriseError | undefined {
  const { agents, rest } = chosenAgents(text, search);
  if (rest === text || !isWord(rest)) return undefined;
  const found = byTitle(rest, findSessions({ ...search, agents }));
  if (found.length === 0) return undefined;
  return new RepriseError("not_found", noMatch(text), {
    hint: "Behind an agent's name, one word is an id or a tag. These sessions have it in their titles: type one of their names.",
    details: candidatesIn(found),
  });
}

function isWord(text: string): boolean {
  return !/\s/.test(text);
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
  const id = reference.slice(colon);
  // The beginning of a path names nothing.
  return /[/\\]/.test(id) ? reference : `${reference.slice(0, colon)}${shortId(id)}`;
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
  if (byPath.length > 0) return byPath.toSorted(newestFirst);
  const byId = sessionsById(rest, narrowed);
  if (byId.length > 0) return byId.toSorted(newestFirst);
  const every = findSessions(narrowed, { subagents: true });
  // It may lie in a project that only other sessions tell of.
  const late = every.filter(({ head }) => beginsWith(head.session, rest));
  if (late.length > 0) return late;
  const all = every.filter(isNoSubagent);
  const byTag = all.filter(({ head }) => head.tags?.includes(rest) === true);
  if (byTag.length > 0) return byTag;
  // One word behind an agent's name may be the id of a session that is gone: no other is meant by it.
  const isId = rest !== text && isWord(rest);
  return isId ? all.filter(({ head }) => isCalled(head, rest)) : byTitle(rest, all);
}

function isNoSubagent({ head }: FoundSession): boolean {
  return head.relation?.kind !== "subagent";
}

/** The newest conversation of this project, or of all where this project has none. */
function newest(search: Search): readonly FoundSession[] {
  const all = findSessions(search, { kind: "conversation" });
  const here = new Set(sessionsOfFolder(all, search.env.cwd));
  const [first = all[0]] = all.filter((session) => here.has(session));
  return first === undefined ? [] : [first];
}

/** The agents that a reference may mean: the one named before a colon and the rest of the text, else all. */
export function chosenAgents(
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

/** Whether an id begins with these letters, small or capital. */
export function beginsWith(id: string, prefix: string): boolean {
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

function only(text: string, found: readonly FoundSession[], search: Search): FoundSession {
  // What a program keeps about a session has the session's own id.
  const conversations = found.filter(({ head }) => head.kind === undefined);
  const [first, second] = conversations.length > 0 ? conversations : found;
  if (first !== undefined && second === undefined) return first;
  const { rest } = chosenAgents(text, search);
  throw new RepriseError("ambiguous", `${JSON.stringify(text)} matches ${found.length} sessions:`, {
    hint: hintFor(rest, found, fileHint(text, search)),
    details: { reference: text, ...candidatesIn(found) },
  });
}

/** What makes a reference that means several sessions mean one. */
function hintFor(
  rest: string,
  found: readonly FoundSession[],
  forFile: string | undefined,
): string | undefined {
  if (new Set(found.map(({ head }) => head.session)).size === 1)
    return `Their ids are the same: type one of these names, such as \`${namesOf(found)[0]}\`.`;
  if (found.every(({ head }) => beginsWith(head.session, rest))) return undefined;
  const [first] = found;
  if (first !== undefined && found.every(({ head }) => isCalled(head, first.head.title ?? ""))) {
    const original = Math.max(
      0,
      found.findIndex(({ head }) => head.copyOf === undefined),
    );
    return `Their titles are the same: type one of these names, such as \`${namesOf(found)[original]}\`.`;
  }
  const words = "Give more words of the title, or type one of these names.";
  return forFile === undefined ? words : `${words} ${forFile}`;
}

/** The first of several sessions and how each is named, for an error that lists them. */
function candidatesIn(found: readonly FoundSession[]): JsonObject {
  const names = namesOf(found);
  return {
    count: found.length,
    candidates: found.slice(0, limits.candidates).map(({ head }, at) => ({
      ref: names[at]!,
      title: oneLine(head.title ?? "", 60),
      path: head.path,
      ...(head.copyOf !== undefined && { copyOf: head.copyOf }),
    })),
  };
}

/** How each of several sessions is named, and no other of them. */
function namesOf(found: readonly FoundSession[]): readonly string[] {
  // One id may lie in two files, such as a copy; then only the path distinguishes them.
  const names = found.map(referenceTo);
  return found.map(({ agent, head }, at) => {
    const name = names[at]!;
    const isTold = names.indexOf(name) === names.lastIndexOf(name);
    return isTold ? name : `${agent.name}:${head.path}`;
  });
}
