import type { SessionAct } from "./session-acts.ts";

/** A session as far as blame speaks of it. */
export interface Origin {
  readonly agent: string;
  readonly session: string;
  readonly title?: string;
  /** When it began; of copies the oldest counts. */
  readonly createdMs: number;
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
        a.index - b.index,
    );
  const seen = new Map<string, string>();
  return oldestFirst.flatMap(({ edit }) => {
    const { act, origin, atMs } = edit;
    const body = JSON.stringify([act.path, act.changes, act.movedTo]);
    const own = `${origin.agent}:${origin.session}`;
    const names = [`${atMs} ${body}`, ...(act.call === undefined ? [] : [`${act.call} ${body}`])];
    // One session may do the same twice; only another session's is a copy.
    if (names.some((name) => seen.has(name) && seen.get(name) !== own)) return [];
    for (const name of names) seen.set(name, own);
    return [edit];
  });
}
