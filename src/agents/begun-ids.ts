import { withHeads } from "./file-elsewhere.ts";
import {
  type FoundSession,
  type Located,
  locateSessions,
  type Search,
  sessionsOfFolder,
} from "./find-sessions.ts";
import { newestFirst } from "./newest-sessions.ts";
import { beginsWith, chosenAgents, shortIds } from "./reference.ts";

/** A session, and what can be typed for it. */
export interface NamedBegun {
  readonly session: FoundSession;
  readonly name: string;
}

/**
 * The newest sessions whose id, or `agent:id`, begins with what is typed, those of this project first, each with the
 * shortest name that begins so too. Ids are known by stat alone; heads are read of those few.
 */
export function sessionsBegun(typed: string, search: Search, most: number): readonly NamedBegun[] {
  const { agents, rest } = chosenAgents(typed, search);
  const all = [...locateSessions({ ...search, agents })];
  const begun = all.filter(({ ref }) => beginsWith(ref.session, rest)).sort(newestFileFirst);
  const found = withHeads(begun.slice(0, most), search).toSorted(newestFirst);
  const here = new Set(sessionsOfFolder(found, search.env.cwd));
  const short = shortIds(
    all.map(({ ref }) => ref.session),
    found.map(({ ref }) => ref.session),
  );
  const before = typed.slice(0, typed.length - rest.length);
  return [...here, ...found.filter((session) => !here.has(session))].map((session) => {
    const id = session.ref.session;
    const name = short.get(id) ?? id;
    return { session, name: `${before}${name.length < rest.length ? id : name}` };
  });
}

function newestFileFirst(a: Located, b: Located): number {
  return b.ref.modifiedMs - a.ref.modifiedMs;
}
