import type { ShownKey } from "../../terminal/picker/key-lines.ts";

/** What a key of the inbox decides about the chosen proposal, or takes back. */
export type Decision = "approve" | "replace" | "reject" | "undo";

/** A key of the inbox, and the decision it stands for. */
export interface InboxKey extends ShownKey {
  readonly decision?: Decision;
}

/** Every key, in the order of the page of keys. */
export const inboxKeys: readonly InboxKey[] = [
  {
    key: "a",
    says: "approve",
    explains: "approve it: agents may be given it from now on",
    decision: "approve",
    rank: 1,
  },
  {
    key: "e",
    says: "edit",
    explains: "change what it says, then approve it as your own words; Enter saves, Esc goes back",
    rank: 3,
  },
  {
    key: "s",
    says: "replace",
    explains: "approve it, and say that it replaces what it contradicts",
    decision: "replace",
    rank: 6,
  },
  {
    key: "r",
    says: "reject",
    explains: "reject it: it is not proposed again",
    decision: "reject",
    rank: 2,
  },
  {
    key: "u",
    says: "undo",
    explains: "take the last decision back; again for the one before",
    decision: "undo",
    rank: 5,
  },
  { key: "/", says: "filter", explains: "show only those with some words; Esc shows all", rank: 7 },
  {
    key: "Enter",
    says: "read",
    explains: "show the whole proposal; j, k and the arrows scroll, Enter goes back",
    rank: 8,
  },
  { key: "j/k", says: "move", explains: "move down and up, as the arrows do", rank: 9 },
  { key: "?", says: "keys", explains: "show this page", rank: 4 },
  { key: "q", says: "leave", explains: "leave, as Esc does", rank: 0 },
];

/** The decision that a letter stands for. */
export function decisionOf(letter: string): Decision | undefined {
  return inboxKeys.find(({ key }) => key === letter)?.decision;
}
