import type { HookScope } from "../../agents/hooks-contract.ts";
import { type KeptNote, keptNotes } from "../../agents/kept-notes.ts";
import type { Environment } from "../../base/env.ts";
import { type Known, knownPrints } from "../known-prints.ts";
import type { Memory } from "../memory.ts";
import { printOf } from "../print.ts";
import type { Origin } from "./origin.ts";

/** Something that agents keep themselves, once, with every place it stands in. */
export interface AgentSource {
  readonly text: string;
  /** For the project, or for the user in every project; the first place decides. */
  readonly scope: HookScope;
  readonly origins: readonly Origin[];
  /** A hash that is the same for the same words. */
  readonly print: string;
  /** What became of it here; absent if it is new. */
  readonly known?: Known;
}

/** Which sources are wanted. */
export interface SourcesWanted {
  readonly env: Environment;
  readonly scopes?: readonly HookScope[];
  /** The names of agents; all unless given. */
  readonly agents?: readonly string[];
}

/**
 * What agents keep about a project and for its user, read from their own places: the same words are one source with
 * several origins. What this program published is not among them.
 */
export async function agentSources(
  memory: Memory,
  { env, ...wanted }: SourcesWanted,
): Promise<readonly AgentSource[]> {
  const known = await knownPrints(memory);
  return joinedNotes(await keptNotes(env, wanted)).map((source) => {
    const status = known.get(source.print);
    return { ...source, ...(status !== undefined && { known: status }) };
  });
}

/** Notes with the same words as one source, in the order they come. */
export function joinedNotes(notes: readonly KeptNote[]): readonly AgentSource[] {
  const byPrint = new Map<string, AgentSource>();
  for (const { text, scope, agent, path, line, heading } of notes) {
    const origin = {
      agent,
      path,
      ...(line !== undefined && { line }),
      ...(heading !== undefined && { heading }),
    };
    const print = printOf(text);
    const same = byPrint.get(print);
    byPrint.set(print, {
      ...(same ?? { text, scope, print }),
      origins: [...(same?.origins ?? []), origin],
    });
  }
  return [...byPrint.values()];
}
