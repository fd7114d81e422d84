import { basename, dirname, join } from "node:path";
import type { Environment } from "../../../base/env.ts";
import { fileStat, namesIn, statOf } from "../../../base/folders.ts";
import { sessionIdProblem } from "../../../base/ids.ts";
import type { SessionRef } from "../../contract.ts";
import { agentName } from "../name.ts";
import { partOf } from "../part.ts";
import { commandFolder, otherCommandFolder } from "../roots.ts";

/** The conversations of the command line: a folder each, below one for the project. */
export function* storeRefs(env: Environment): Generator<SessionRef> {
  for (const folder of [commandFolder(env), otherCommandFolder(env)]) {
    const chats = join(folder, "chats");
    for (const project of namesIn(chats)) yield* storesIn(join(chats, project));
  }
  yield* storesIn(join(commandFolder(env), "acp-sessions"));
}

function* storesIn(folder: string): Generator<SessionRef> {
  for (const name of namesIn(folder)) yield* storeAt(join(folder, name, "store.db"));
}

/** The conversation of the command line in a file, which lies in a folder of its id. */
export function* storeAt(path: string): Generator<SessionRef> {
  const session = basename(dirname(path));
  const stat = fileStat(path);
  if (stat === undefined || sessionIdProblem(session) !== undefined) return;
  const { sizeBytes, modifiedMs } = stat;
  // What was said last may lie in the log beside it.
  const logMs = statOf(`${path}-wal`)?.mtimeMs ?? 0;
  const times = { sizeBytes, modifiedMs: Math.max(modifiedMs, logMs) };
  yield { agent: agentName, session, path, ...times, root: "" };
}

/** The name of a project's folder below `projects`. */
function slugOf(project: string): string {
  return project.replace(/^[/\\]+/, "").replaceAll(/[/\\:.]+/g, "-");
}

/**
 * Transcripts that the agent writes beside its stores: they have neither results nor times, so they are named where the
 * conversation itself is not there.
 */
export function* transcriptRefs(
  env: Environment,
  known: { readonly projects: Iterable<string>; isListed(id: string): boolean },
): Generator<SessionRef> {
  const projects = join(commandFolder(env), "projects");
  const names = namesIn(projects);
  if (names.length === 0) return;
  const folders = new Map([...known.projects].map((project) => [slugOf(project), project]));
  for (const name of names) {
    const root = folders.get(name) ?? "";
    for (const ref of transcriptsIn(join(projects, name, "agent-transcripts"), root))
      if (!known.isListed(ref.session)) yield ref;
  }
}

const shape = /^(.+)\.(?:jsonl|txt)$/;

function* transcriptsIn(folder: string, root: string): Generator<SessionRef> {
  const seen = new Set<string>();
  for (const name of namesIn(folder)) {
    const session = shape.exec(name)?.[1];
    if (session === undefined) {
      yield* filesIn(join(folder, name), root, seen);
      yield* filesIn(join(folder, name, "subagents"), root, seen);
    } else yield* fileRef(join(folder, name), { session, root, seen });
  }
}

function* filesIn(folder: string, root: string, seen: Set<string>): Generator<SessionRef> {
  for (const name of namesIn(folder)) {
    const session = shape.exec(name)?.[1];
    if (session !== undefined) yield* fileRef(join(folder, name), { session, root, seen });
  }
}

function* fileRef(
  path: string,
  of: { readonly session: string; readonly root: string; readonly seen: Set<string> },
): Generator<SessionRef> {
  const { session, root, seen } = of;
  const stat = fileStat(path);
  // Lines sort before text: where both are there, the lines say more.
  if (stat === undefined || seen.has(session) || sessionIdProblem(session) !== undefined) return;
  seen.add(session);
  yield { agent: agentName, session, path, part: partOf("transcript"), ...stat, root };
}
