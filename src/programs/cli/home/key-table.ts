import type { ShownKey } from "../terminal/picker/key-lines.ts";

/** What a key of the home screen does to the chosen session. */
export type Action =
  | "show"
  | "resume"
  | "resumeIn"
  | "fork"
  | "copy"
  | "export"
  | "tag"
  | "pin"
  | "delete"
  | "undo"
  | "filter";

/** A key of the home screen: for the line below the screen, for the page of keys, and for who presses it. */
export interface KeyRow extends ShownKey {
  readonly action?: Action;
  /** The letter pressed with Ctrl. */
  readonly letter?: string;
  /** It is a character: with a query it is typed. */
  readonly isText?: boolean;
}

/** Every key, in the order of the page of keys. */
export const keyRows: readonly KeyRow[] = [
  { key: "Enter", says: "show", explains: "show the session", action: "show", rank: 1 },
  {
    key: "^R",
    says: "resume",
    explains: "resume it in its own agent",
    action: "resume",
    letter: "r",
    rank: 4,
  },
  {
    key: "^O",
    says: "in another",
    explains: "copy it to another agent; a menu says what would be lost",
    action: "resumeIn",
    letter: "o",
    rank: 5,
  },
  {
    key: "^F",
    says: "fork",
    explains: "copy it up to an event",
    action: "fork",
    letter: "f",
    rank: 6,
  },
  {
    key: "^Y",
    says: "copy",
    explains: "copy its reference, over ssh too",
    action: "copy",
    letter: "y",
    rank: 9,
  },
  {
    key: "^E",
    says: "export",
    explains: "export it to a file in this folder",
    action: "export",
    letter: "e",
    rank: 7,
  },
  {
    key: "^T",
    says: "tag",
    explains: "tag it; -word removes a tag",
    action: "tag",
    letter: "t",
    rank: 10,
  },
  { key: "^P", says: "pin", explains: "pin or unpin it", action: "pin", letter: "p", rank: 11 },
  {
    key: "^X",
    says: "delete",
    explains: "delete it: the plan is shown first",
    action: "delete",
    letter: "x",
    rank: 8,
  },
  {
    key: "^Z",
    says: "undo",
    explains: "undo the last change; it is shown first",
    action: "undo",
    letter: "z",
    rank: 13,
  },
  {
    key: "Tab",
    says: "filter",
    explains: "only one agent, project or tag",
    action: "filter",
    rank: 6.5,
  },
  {
    key: "@",
    says: "here",
    explains: "only this project, and all again; while nothing is typed",
    isText: true,
    rank: 12,
  },
  {
    key: "⇧↑ ⇧↓",
    says: "scroll",
    explains: "scroll the preview; Alt works too",
    rank: 14,
  },
  { key: "?", says: "keys", explains: "this page; while nothing is typed", isText: true, rank: 3 },
  {
    key: "Esc",
    says: "leave",
    explains: "go back, clear what is typed, show all again, or leave; ^C leaves",
    rank: 2,
  },
];

/** What a key with Ctrl does. */
export function actionOf(letter: string): Action | undefined {
  return keyRows.find((row) => row.letter === letter)?.action;
}
