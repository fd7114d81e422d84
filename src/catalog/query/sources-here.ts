import { allSources } from "../index/source.ts";
import type { Ground } from "./finder.ts";
import type { Gathered } from "./gather-hits.ts";
import { factsOfSource, passing, type SessionFacts } from "./session-filter.ts";

/** Looking at the folders of all sessions takes a while; many questions are asked of one ground. */
const known = new WeakMap<Ground, ReadonlySet<number>>();

/** The sources of sessions that belong to the project of a folder; those that were read have numbers below zero. */
export async function sourcesHere(
  ground: Ground,
  { read }: Pick<Gathered, "read">,
  cwd: string,
): Promise<ReadonlySet<number>> {
  const before = known.get(ground);
  if (before !== undefined && read.length === 0) return before;
  const connection = ground.catalog?.connection;
  const indexed = connection === undefined ? [] : allSources(connection);
  const all: readonly { readonly id: number; readonly facts: SessionFacts }[] = [
    ...indexed.map((source) => ({ id: source.id, facts: factsOfSource(source) })),
    ...read.map(({ facts }, at) => ({ id: -1 - at, facts })),
  ];
  const kept = await passing(all, [{ key: "here", value: "", not: false }], { cwd });
  const here = new Set(kept.map(({ id }) => id));
  if (read.length === 0) known.set(ground, here);
  return here;
}
