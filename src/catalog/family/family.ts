import type { FoundSession } from "../../agents/newest-sessions.ts";
import { limits } from "../../base/limits.ts";
import type { Home } from "../../store/home.ts";
import { copyFinder, copyOf } from "./copies.ts";
import { type Kinship, keyOf, recordedKinships, statedKinship } from "./kinship.ts";

/** One session of a family. */
export interface Member {
  readonly key: string;
  /** Undefined where it is gone and only others name it. */
  readonly session?: FoundSession;
  /** Where it came from; undefined for the root. */
  readonly from?: Kinship;
  readonly children: readonly Member[];
}

/** All sessions that come from the same one, across agents. */
export interface Family {
  readonly root: Member;
  readonly members: number;
  /** Sessions that are left out because there are more than are looked at. */
  readonly more: number;
}

/** Finds a session's family: the session it goes back to, and everything that came from that one. */
export async function familyOf(
  session: FoundSession,
  options: { readonly all: readonly FoundSession[]; readonly home: Home },
): Promise<Family> {
  const byKey = new Map(options.all.map((one) => [keyOf(one), one]));
  byKey.set(keyOf(session), session);
  const recorded = recordedKinships(options.home);
  const copies = copyFinder([...byKey.values()]);
  const kinships = new Map<string, Kinship>();
  for (const [key, one] of byKey) {
    const kinship = statedKinship(one) ?? recorded.get(key);
    if (kinship !== undefined && kinship.parent !== key) kinships.set(key, kinship);
  }
  await addCopies(session, { byKey, kinships, find: copies.alike });
  const childrenOf = new Map<string, string[]>();
  for (const [key, { parent }] of kinships) {
    childrenOf.set(parent, [...(childrenOf.get(parent) ?? []), key]);
  }
  let members = 0;
  let more = 0;
  const seen = new Set<string>();
  const build = (key: string): Member => {
    seen.add(key);
    members += 1;
    const children: Member[] = [];
    for (const child of childrenOf.get(key) ?? []) {
      if (seen.has(child)) continue;
      if (members >= limits.familyMembers) more += 1;
      else children.push(build(child));
    }
    const found = byKey.get(key);
    const from = kinships.get(key);
    return { key, children, ...(found !== undefined && { session: found }), ...(from && { from }) };
  };
  const root = build(rootOf(keyOf(session), kinships));
  return { root, members, more };
}

/** Where a session goes back to in the end; a circle ends where it began. */
function rootOf(key: string, kinships: ReadonlyMap<string, Kinship>): string {
  const seen = new Set<string>();
  let at = key;
  for (;;) {
    seen.add(at);
    const parent = kinships.get(at)?.parent;
    if (parent === undefined || seen.has(parent)) return at;
    at = parent;
  }
}

/** Looks for copies of the session and of those it comes from: nobody wrote down that they are. */
async function addCopies(
  session: FoundSession,
  given: {
    readonly byKey: ReadonlyMap<string, FoundSession>;
    readonly kinships: Map<string, Kinship>;
    find(session: FoundSession): Promise<readonly FoundSession[]>;
  },
): Promise<void> {
  const { byKey, kinships, find } = given;
  const root = byKey.get(rootOf(keyOf(session), kinships));
  for (const one of new Set([session, ...(root === undefined ? [] : [root])])) {
    const [first, ...others] = (await find(one)).filter((found) => !kinships.has(keyOf(found)));
    if (first === undefined) continue;
    for (const other of others) kinships.set(keyOf(other), copyOf(first));
  }
}
