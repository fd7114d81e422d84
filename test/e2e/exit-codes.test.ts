import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { putClaudeSession } from "./agents-home.ts";
import { machine } from "./program.ts";

/* What the exit code of an empty answer says: docs/cli.md, "Exit codes". */

const id = "5a3e1c0f-7b64-4d0e-9c55-000000000001";

/** Command lines on a machine with one session and nothing else, and how each of them ends. */
const table: readonly (readonly [number, string])[] = [
  // A list with nothing in it is not a failure.
  [0, "list"],
  [0, "checkpoint list"],
  [0, "checkpoint list --foreign"],
  [0, "memory list"],
  [0, "memory inbox"],
  [0, "memory conflicts"],
  [0, "memory audit"],
  [0, "undo --list"],
  [0, "sources list"],
  [0, "task list"],
  // Nothing spent is a sum, too.
  [0, "stats"],
  [0, "stats --agent codex"],
  [0, "verify"],
  [0, "hooks status"],
  [0, "mcp status"],
  [0, "slash status"],
  [0, `files ${id}`],
  [0, "prune --ttl 3"],
  // A question that finds nothing ends as grep does.
  [1, "search walrus"],
  [1, "search --substring walrus"],
  [1, "search --file walrus.ts"],
  [1, "recall walrus"],
  [1, "list --agent codex"],
  [1, "list --tag walrus"],
  [1, "memory list walrus"],
  [1, "memory list --tag walrus"],
  [1, "checkpoint find walrus"],
  [1, `checkpoint list --session ${id}`],
  [1, `files ${id} --changed`],
  [1, "blame by-hand.txt"],
  [1, "undo"],
  [1, "redo"],
  // What was named does not exist.
  [3, "show walrus"],
  [3, "files walrus"],
  [3, "tree walrus"],
  [3, "checkpoint show 3"],
  [3, "memory get walrus"],
  [3, "blame walrus.txt"],
];

test("an empty list ends with 0, a question that finds nothing with 1, a name that means nothing with 3", () => {
  const here = machine();
  putClaudeSession(here, { id }, [{ user: "Mend the parser", says: "Done." }]);
  writeFileSync(join(here.cwd, "by-hand.txt"), "written by hand\n");
  const got = table.map(([, line]) => [here.run(...line.split(" ")).status, line]);
  expect(got).toEqual(table);
  // A program gets the same answer as a person.
  const asJson = table.map(([, line]) => [here.run(...line.split(" "), "--json").status, line]);
  expect(asJson).toEqual(table);
});
