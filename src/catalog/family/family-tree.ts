import type { FoundSession } from "../../agents/newest-sessions.ts";
import { errnoOf, isRepriseError } from "../../base/errors.ts";
import type { Family, Member } from "./family.ts";
import type { Kinship } from "./kinship.ts";
import { type Mark, type Outline, outlineOf } from "./outline.ts";

/** A session of a family with all that happened in it, and the sessions that left it, where they did. */
export interface TreeSession {
  readonly key: string;
  readonly session?: FoundSession;
  readonly from?: Kinship;
  readonly events?: number;
  readonly prompts?: number;
  /** Why its events are not shown. */
  readonly problem?: string;
  /** Marks and sessions in the order of the events they belong to; those without a known event come last. */
  readonly items: readonly TreeItem[];
}

/** What hangs on a session: something that happened in it, or a session that came from it. */
export type TreeItem =
  | { readonly mark: Mark }
  | { readonly child: TreeSession; readonly event?: string };

/** Marks that something else than the session itself knows, such as checkpoints of its files. */
export type OtherMarks = (session: FoundSession) => readonly Mark[];

/** Reads every session of a family and puts each where it left the one it came from. */
export async function familyTree(
  { root }: Family,
  options: {
    readonly otherMarks?: OtherMarks;
    onEvents?(count: number): void;
  } = {},
): Promise<TreeSession> {
  const build = async (member: Member): Promise<Built> => {
    const { key, session, from } = member;
    const read = session === undefined ? undefined : await outlineIn(session, options);
    const outline = read?.outline;
    const children: Built[] = [];
    for (const child of member.children) children.push(await build(child));
    const placed = children.map((child) => placedChild(child, outline));
    const marks = session === undefined ? [] : (options.otherMarks?.(session) ?? []);
    const items = inOrder([...marksOf(outline, children), ...marks], placed, outline);
    const tree: TreeSession = {
      key,
      items,
      ...(session !== undefined && { session }),
      ...(from !== undefined && { from }),
      ...(outline !== undefined && { events: outline.events, prompts: outline.prompts }),
      ...(read?.problem !== undefined && { problem: read.problem }),
    };
    return { tree, outline };
  };
  return (await build(root)).tree;
}

interface Built {
  readonly tree: TreeSession;
  readonly outline: Outline | undefined;
}

type Child = Extract<TreeItem, { readonly child: TreeSession }>;

/** Where a child left its parent: as it says, where the parent started it, or behind the last event both have. */
function placedChild({ tree, outline }: Built, parent: Outline | undefined): Child {
  const stated = tree.from?.event;
  const started = parent?.marks.find(
    ({ kind, session }) => kind === "subagent" && session === tree.session?.head.session,
  )?.event;
  const isFork = tree.from?.kind === "fork" || tree.from?.kind === "copy";
  const shared =
    isFork && parent !== undefined && outline !== undefined
      ? parent.lastShared(outline)
      : undefined;
  const event = stated ?? started ?? shared;
  return { child: tree, ...(event !== undefined && { event }) };
}

/** The marks of a session without those of subagents that are sessions of their own. */
function marksOf(outline: Outline | undefined, children: readonly Built[]): readonly Mark[] {
  const own = new Set(children.map(({ tree }) => tree.session?.head.session));
  return (outline?.marks ?? []).filter(
    ({ kind, session }) => kind !== "subagent" || !own.has(session),
  );
}

function inOrder(
  marks: readonly Mark[],
  children: readonly Child[],
  outline: Outline | undefined,
): readonly TreeItem[] {
  const items = [...marks.map((mark) => ({ mark })), ...children];
  const placeOf = (item: TreeItem): number => {
    const event = "mark" in item ? item.mark.event : item.event;
    // A checkpoint that a hook took knows its moment, not its event.
    const at = "mark" in item && event === "" ? item.mark.at : undefined;
    if (at !== undefined) return outline?.placeBy(at) ?? Number.MAX_SAFE_INTEGER;
    const place = event === undefined ? undefined : outline?.placeOf(event);
    return place ?? Number.MAX_SAFE_INTEGER;
  };
  return items.sort((a, b) => placeOf(a) - placeOf(b));
}

async function outlineIn(
  session: FoundSession,
  { onEvents }: { onEvents?(count: number): void },
): Promise<{ readonly outline?: Outline; readonly problem?: string }> {
  if (session.head.sealed === true) return { problem: "sealed" };
  try {
    return {
      outline: await outlineOf(eventsOf(session, onEvents), {
        isTree: session.agent.capabilities.tree,
      }),
    };
  } catch (error) {
    // One that cannot be read hides no other.
    if (!isRepriseError(error) && errnoOf(error) === undefined) throw error;
    return { problem: error instanceof Error ? error.message : "it cannot be read" };
  }
}

async function* eventsOf({ agent, ref }: FoundSession, onEvents?: (count: number) => void) {
  for await (const batch of agent.read(ref, { allBranches: true })) {
    onEvents?.(batch.events.length);
    yield* batch.events;
  }
}
