import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { notes } from "../../../src/agents/cursor/notes.ts";
import { temporaryFolder } from "../../temporary-folder.mjs";

test("a Memory Bank says what is being done, what comes next and what was decided", () => {
  const project = temporaryFolder();
  expect(notes.of(project, { session: "s" })).toBeUndefined();
  const folder = join(project, "memory-bank");
  mkdirSync(folder);
  writeFileSync(
    join(folder, "activeContext.md"),
    "# Active Context\n\n## Current Work Focus\n\nMoving the API to port 9090.\n\n## Next Steps\n\n1. Update the README\n\n## Active Decisions\n\n- One constant\n",
  );
  writeFileSync(
    join(folder, "progress.md"),
    "# Progress\n\n## What Works\n\n- [x] The server starts\n\n## What's Left to Build\n\n- The client\n",
  );
  expect(notes.of(project, { session: "s" })).toMatchObject({
    from: "cursor",
    path: join(folder, "activeContext.md"),
    sections: {
      now: ["Moving the API to port 9090."],
      next: ["Update the README", "The client"],
      decisions: ["One constant"],
      done: ["The server starts"],
    },
  });
});
