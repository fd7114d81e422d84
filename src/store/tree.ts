import type { SessionMeta } from "../log/session-meta.ts";
import type { EventId, SessionEvent } from "../model/event.ts";
import type { Shape } from "./session-log.ts";

/** An event with what follows it. */
export interface TreeNode {
  readonly id: EventId;
  readonly type: string;
  readonly label?: string;
  readonly children: readonly TreeNode[];
}

/** The end of one line of events. */
export interface Branch {
  readonly leaf: EventId;
  /** Where it left the branch that goes on; undefined for the current one. */
  readonly from?: EventId;
  readonly events: number;
  readonly current: boolean;
}

interface Links {
  readonly parentOf: ReadonlyMap<EventId, EventId | undefined>;
  readonly typeOf: ReadonlyMap<EventId, string>;
  readonly childrenOf: ReadonlyMap<EventId | undefined, readonly EventId[]>;
}

/** The leaves of a session's tree, the current one first. */
export function branchesOf(shapes: Iterable<Shape>, current: EventId): readonly Branch[] {
  const { parentOf, childrenOf } = linksOf(shapes);
  const onPath = new Set<EventId>();
  for (let at: EventId | undefined = current; at !== undefined; at = parentOf.get(at))
    onPath.add(at);
  const branches: Branch[] = [{ leaf: current, events: onPath.size, current: true }];
  for (const id of [...parentOf.keys()].reverse()) {
    if (id === current || childrenOf.has(id)) continue;
    let events = 0;
    let at: EventId | undefined = id;
    while (at !== undefined && !onPath.has(at)) {
      events += 1;
      at = parentOf.get(at);
    }
    branches.push({ leaf: id, ...(at !== undefined && { from: at }), events, current: false });
  }
  return branches;
}

/** The whole tree. Built from the leaves up, so that a long session needs no deep recursion. */
export function treeOf(
  shapes: Iterable<Shape>,
  { labels = {} }: { readonly labels?: SessionMeta["labels"] } = {},
): readonly TreeNode[] {
  const { parentOf, typeOf, childrenOf } = linksOf(shapes);
  const nodes = new Map<EventId, TreeNode>();
  // Children have greater ids than their parents: from the end on, every child is there before its parent.
  for (const id of [...parentOf.keys()].sort((a, b) => b - a)) {
    const children = (childrenOf.get(id) ?? []).map((child) => nodes.get(child)!);
    const label = labels[String(id)];
    nodes.set(id, { id, type: typeOf.get(id)!, ...(label !== undefined && { label }), children });
  }
  return (childrenOf.get(undefined) ?? []).map((root) => nodes.get(root)!);
}

function linksOf(shapes: Iterable<Shape>): Links {
  const parentOf = new Map<EventId, EventId | undefined>();
  const typeOf = new Map<EventId, string>();
  const childrenOf = new Map<EventId | undefined, EventId[]>();
  for (const { id, parent, type } of shapes) {
    if (parentOf.has(id)) continue;
    // A parent that is missing or not earlier makes a root, never a cycle.
    const known = parent !== undefined && parent < id && parentOf.has(parent) ? parent : undefined;
    parentOf.set(id, known);
    typeOf.set(id, type);
    const siblings = childrenOf.get(known);
    if (siblings === undefined) childrenOf.set(known, [id]);
    else siblings.push(id);
  }
  return { parentOf, typeOf, childrenOf };
}

/** The places of events in the tree, without what they hold. */
export async function shapesOf(events: AsyncIterable<SessionEvent>): Promise<readonly Shape[]> {
  const shapes: Shape[] = [];
  for await (const { id, parent, type } of events) shapes.push({ id, parent, type });
  return shapes;
}
