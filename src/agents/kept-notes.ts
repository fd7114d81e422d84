import { realpathSync } from "node:fs";
import type { Environment } from "../base/env.ts";
import { smallFile } from "../base/folders.ts";
import { limits } from "../base/limits.ts";
import { isWithin } from "../base/within.ts";
import { markdownNotes } from "../model/markdown-notes.ts";
import type { HookScope } from "./hooks-contract.ts";
import type { AgentMemories } from "./memories-contract.ts";
import { foldersHere } from "./project-folders.ts";
import { loadMemories, memoryNames } from "./registry.ts";

/** Something that an agent keeps about a project or for its user, with the place it stands in. */
export interface KeptNote {
  /** The agent, or the name of a page that several read. */
  readonly agent: string;
  readonly scope: HookScope;
  readonly path: string;
  readonly line?: number;
  readonly heading?: string;
  readonly text: string;
}

/** Which notes are wanted; all of them unless given. */
export interface NotesWanted {
  readonly scopes?: readonly HookScope[];
  readonly agents?: readonly string[];
}

/**
 * What agents keep themselves about the project of the current folder and for its user, in the order of the registry. A
 * page that several agents read is read once. What this project published is left out; what cannot be read as well.
 */
export async function keptNotes(
  env: Environment,
  { scopes = ["user", "project"], agents = memoryNames }: NotesWanted = {},
): Promise<readonly KeptNote[]> {
  const seen = new Set<string>();
  const found: KeptNote[] = [];
  for (const agent of memoryNames) {
    const memories = await loadMemories(agent);
    if (memories === undefined) continue;
    // The user's first: in the home folder a page may look like both.
    for (const scope of ["user", "project"] as const) {
      const notes = [...pageNotes(memories, scope, { env, seen }), ...stored(memories, scope, env)];
      if (!agents.includes(agent) || !scopes.includes(scope)) continue;
      for (const note of notes.slice(0, limits.agentNotes))
        found.push({ ...note, agent, scope, text: cut(note.text) });
    }
  }
  return found.filter(({ text }) => text !== "");
}

type Note = Omit<KeptNote, "agent" | "scope">;

function* pageNotes(
  memories: AgentMemories,
  scope: HookScope,
  { env, seen }: { readonly env: Environment; readonly seen: Set<string> },
): Generator<Note> {
  for (const path of memories.pages(scope, env)) {
    const real = pageBehind(path, env);
    if (real === undefined || seen.has(real)) continue;
    seen.add(real);
    for (const note of markdownNotes(smallFile(real, limits.agentPageBytes) ?? ""))
      yield { ...note, path };
  }
}

function stored(memories: AgentMemories, scope: HookScope, env: Environment): readonly Note[] {
  const notes: Note[] = [];
  try {
    for (const note of memories.notes?.(scope, env) ?? []) {
      notes.push(note);
      if (notes.length >= limits.agentNotes) break;
    }
  } catch {
    // A database that no engine here opens: what was read of it counts.
  }
  return notes;
}

/** Every page that an agent gives its model by itself, of its user and of the project. */
export function pagesOf(memories: AgentMemories, env: Environment): readonly string[] {
  return (["user", "project"] as const).flatMap((scope) => memories.pages(scope, env));
}

/**
 * The file that a page's path means; undefined if there is none. A page of the project that is a link to somewhere else
 * is not one: a project that comes from others must not make us read or write files of its choice.
 */
export function pageBehind(path: string, env: Environment): string | undefined {
  try {
    const real = realpathSync(path);
    const top = foldersHere(env).at(-1) ?? env.cwd;
    return !isWithin(path, top) || isWithin(real, realpathSync(top)) ? real : undefined;
  } catch {
    return undefined;
  }
}

function cut(text: string): string {
  const whole = text.trim();
  return whole.length <= limits.agentNoteChars
    ? whole
    : `${whole
        .slice(0, limits.agentNoteChars - 1)
        .toWellFormed()
        .trimEnd()}…`;
}
