import type { FoundSession } from "../../../agents/find-sessions.ts";
import type { TreeItem, TreeSession } from "../../../catalog/family/family-tree.ts";
import { keyOf } from "../../../catalog/family/kinship.ts";
import type { Mark } from "../../../catalog/family/outline.ts";

/** The shape of `reprise tree --json`. */
export const treeShape = `{ ref: string, root: string, more: number, sessions: {
  ref: string, title?: string, createdAt?: string, updatedAt?: string, gone?: true, problem?: string,
  events?: number, prompts?: number,
  from?: { kind: "fork" | "subagent" | "continues" | "conversion" | "import" | "copy",
    parent: string, event?: string },
  marks: { kind: "prompt" | "branch" | "rewind" | "compaction" | "checkpoint" | "restore" | "subagent",
    event: string, at?: string, text?: string, events?: number, leaf?: string, to?: string,
    tokensBefore?: number, session?: string, checkpoint?: number, incomplete?: true }[] }[] }`;

/** What is to be shown of a family. */
export interface ShownTree {
  readonly root: TreeSession;
  readonly more: number;
  readonly prompts: boolean;
}

/** A family as data, each session before those that came from it. */
export function treeJson(
  asked: FoundSession,
  { root, more, prompts }: ShownTree,
): Readonly<Record<string, unknown>> {
  const sessions: Readonly<Record<string, unknown>>[] = [];
  const add = (tree: TreeSession, event: string | undefined): void => {
    const { key, session, from, events, problem, items } = tree;
    const { title, createdAt, updatedAt } = session?.head ?? {};
    sessions.push({
      ref: key,
      title,
      createdAt,
      updatedAt,
      ...(session === undefined && { gone: true }),
      problem,
      events,
      prompts: tree.prompts,
      ...(from !== undefined && { from: { ...from, event: event ?? from.event } }),
      marks: shownItems(items, prompts).flatMap((item): readonly Mark[] =>
        "mark" in item ? [item.mark] : [],
      ),
    });
    for (const item of items) if ("child" in item) add(item.child, item.event);
  };
  add(root, undefined);
  return { ref: keyOf(asked), root: root.key, more, sessions };
}

/** Prompts are shown on request alone: a long session has hundreds. */
export function shownItems(items: readonly TreeItem[], prompts: boolean): readonly TreeItem[] {
  return prompts ? items : items.filter((item) => !("mark" in item) || item.mark.kind !== "prompt");
}
