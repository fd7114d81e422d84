import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { handwritten, readAll, realHistory, wholeFile } from "./histories.ts";

test.each([realHistory, handwritten])("%s reads as it always did", async (path) => {
  const { events } = await readAll(wholeFile(path), { allBranches: true });
  const lines = events.map(({ native: _, ...event }) => JSON.stringify(event));
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(
    join(dirname(path), "golden/events.jsonl"),
  );
});
