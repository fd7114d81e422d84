import { becomes, type Content, type Source } from "../blame/content.ts";
import type { Edit } from "../blame/edit.ts";
import { linesOf } from "../blame/lines.ts";
import { replay } from "../blame/replay.ts";
import type { SessionAct } from "../blame/session-acts.ts";

/** Who made a line come or go: the place of an act among those given, or somebody else. */
export type Maker = number | "other";

/** Who made each line of a file, between two states of it. */
export interface Attributed {
  /** For each line afterwards who put it there; undefined for one that was there before. */
  readonly added: readonly (Maker | undefined)[];
  /** For each line before who took it away; undefined for one that stayed. */
  readonly removed: readonly (Maker | undefined)[];
}

/*
 * Lines are followed through the edits by their source: the line i of the beginning is `-(i + 1)`, a line of edit k is
 * `k + 1`, and 0 is what nobody's edit explains.
 */
type Tag = number;

/**
 * Follows the lines of a file through the edits made between two states of it. What an edit saw and none before it had
 * made, and what the last state has and no edit made, is somebody else's.
 */
export function attributeLines(
  before: readonly string[],
  after: readonly string[],
  acts: readonly SessionAct[],
): Attributed {
  const removed: (Maker | undefined)[] = before.map(() => undefined);
  let content = tagged(before, (at) => -(at + 1));
  const step = (next: Content, maker: Maker): void => {
    const left = new Set(tagsOf(next));
    for (const tag of tagsOf(content)) {
      if (tag < 0 && !left.has(tag)) removed[-tag - 1] = maker;
    }
    content = next;
  };
  const otherwise = (lines: readonly string[]): void =>
    step(becomes(content, lines, { source: { olderThan: 0 } }), "other");
  for (const [index, act] of acts.entries()) {
    if (act.outcome !== "done") continue;
    const { textBefore, ...bare } = act;
    if (textBefore !== undefined) otherwise(linesOf(textBefore));
    const { content: next } = replay([editAlone(bare)], content);
    if (next !== undefined) step(signed(next, index), index);
  }
  otherwise(after);
  const added = tagsOf(content).map((tag) => (tag < 0 ? undefined : tag === 0 ? "other" : tag - 1));
  return { added, removed };
}

function tagged(lines: readonly string[], tagAt: (at: number) => Tag): Content {
  return { lines, sources: lines.map((_, at) => ({ olderThan: tagAt(at) })) };
}

function tagsOf({ sources }: Content): readonly Tag[] {
  return sources.map((source) =>
    source !== undefined && "olderThan" in source ? source.olderThan : 0,
  );
}

/** The content after an edit, whose lines are marked as that edit's. */
function signed({ lines, sources }: Content, index: number): Content {
  const own: Source = { olderThan: index + 1 };
  return {
    lines,
    sources: sources.map((source) => (source !== undefined && "edit" in source ? own : source)),
  };
}

/** An act for itself; replaying one asks for nothing else of an edit. */
export function editAlone(act: SessionAct): Edit {
  const origin = { agent: "", session: "", createdMs: 0, modifiedMs: 0 };
  return { act, origin, place: "here", atMs: act.atMs ?? 0 };
}
