import type { SessionRef, TextFiles } from "../contract.ts";
import { nameOf } from "./session-names.ts";

/** Where the text of a thread lies; the names people give to threads are in one file for all of them. */
export const text: TextFiles = {
  of: ({ path }) => (path.endsWith(".zst") ? undefined : [path]),
  // A rollout that goes on from another one says so at its beginning.
  unless: { texts: ['"history_base":'], lines: 3 },
  titleOf: ({ root, session }: SessionRef) =>
    root === undefined ? undefined : nameOf(root, session),
};
