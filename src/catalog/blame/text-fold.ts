import type { SessionAct } from "./session-acts.ts";

/*
 * A session says a file whole with each of its edits, and each time nearly the same: a text is written down as what
 * differs from the one told before it for the same file.
 */

/** So many characters of the text before, then others, then so many of its end. */
type Folded = readonly [head: number, middle: string, tail: number];

/** An act whose texts are reported by what differs. */
export interface FoldedAct extends Omit<SessionAct, "textBefore" | "textAfter"> {
  readonly textBefore?: Folded;
  readonly textAfter?: Folded;
}

/** Acts of a session, their texts folded. */
export function foldedActs(acts: readonly SessionAct[]): readonly FoldedAct[] {
  const last = new Map<string, string>();
  return acts.map(({ textBefore, textAfter, ...act }) => {
    const next = (text: string): Folded => {
      const folded = fold(last.get(act.path) ?? "", text);
      last.set(act.path, text);
      return folded;
    };
    return {
      ...act,
      ...(textBefore !== undefined && { textBefore: next(textBefore) }),
      ...(textAfter !== undefined && { textAfter: next(textAfter) }),
    };
  });
}

/** The acts as they were. */
export function unfoldedActs(acts: readonly FoldedAct[]): readonly SessionAct[] {
  const last = new Map<string, string>();
  return acts.map(({ textBefore, textAfter, ...act }) => {
    const next = (folded: Folded): string => {
      const text = unfold(last.get(act.path) ?? "", folded);
      last.set(act.path, text);
      return text;
    };
    return {
      ...act,
      ...(textBefore !== undefined && { textBefore: next(textBefore) }),
      ...(textAfter !== undefined && { textAfter: next(textAfter) }),
    };
  });
}

function fold(before: string, text: string): Folded {
  const most = Math.min(before.length, text.length);
  let head = 0;
  while (head < most && before.charCodeAt(head) === text.charCodeAt(head)) head += 1;
  let tail = 0;
  while (
    tail < most - head &&
    before.charCodeAt(before.length - 1 - tail) === text.charCodeAt(text.length - 1 - tail)
  )
    tail += 1;
  return [head, text.slice(head, text.length - tail), tail];
}

function unfold(before: string, [head, middle, tail]: Folded): string {
  return before.slice(0, head) + middle + before.slice(before.length - tail);
}
