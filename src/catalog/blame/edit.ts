import { createHash } from "node:crypto";
import type { SessionAct } from "./session-acts.ts";

/** A session as far as blame speaks of it. */
export interface Origin {
  readonly agent: string;
  readonly session: string;
  readonly title?: string;
  /** When it began; of copies the oldest counts. */
  readonly createdMs: number;
  readonly modifiedMs: number;
}

/** Where an edit was made: in this very file, or in another copy of its repository. */
export type Place = "here" | "elsewhere";

/** One edit of the file that is asked about. */
export interface Edit {
  readonly act: SessionAct;
  readonly origin: Origin;
  readonly place: Place;
  readonly atMs: number;
}

/**
 * Edits in the order they were made, each once: forks, copies and conversions of a session repeat its
 * calls, and the oldest session is the one that made them.
 */
export function inOrder(edits: readonly Edit[]): readonly Edit[] {
  const oldestFirst = edits
    .map((edit, index) => ({ edit, index }))
    .sort(
      (a, b) =>
        a.edit.atMs - b.edit.atMs ||
        a.edit.origin.createdMs - b.edit.origin.createdMs ||
        a.edit.origin.modifiedMs - b.edit.origin.modifiedMs ||
        a.index - b.index,
    );
  const seen = new Map<string, string>();
  return oldestFirst.flatMap(({ edit }) => {
    const { origin } = edit;
    const own = `${origin.agent}:${origin.session}`;
    const names = namesOf(edit);
    // One session may do the same twice, but not with one call; what another session repeats is a copy.
    const isCopy = ({ name, isCall }: Name): boolean => {
      const owner = seen.get(name);
      return owner !== undefined && (owner !== own || isCall);
    };
    if (names.some(isCopy)) return [];
    for (const { name } of names) seen.set(name, own);
    return [edit];
  });
}

/** What a copy of an edit shares with it. */
interface Name {
  readonly name: string;
  /** Made of the call, its time and its content, so that it is that very call. */
  readonly isCall: boolean;
}

function namesOf({ act, atMs }: Edit): readonly Name[] {
  const hash = createHash("sha256").update(JSON.stringify([act.path, act.changes, act.movedTo]));
  const body = hash.digest("base64");
  const byTime = { name: `${atMs} ${body}`, isCall: false };
  if (act.call === undefined) return [byTime];
  // A conversion says the call in another agent's words, but when it was called.
  return [
    byTime,
    { name: `${act.call} ${body}`, isCall: false },
    { name: `${act.call} ${act.askedMs} ${act.path}`, isCall: false },
    { name: `${act.call} ${act.askedMs} ${body}`, isCall: true },
  ];
}
