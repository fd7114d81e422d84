import { dirname, join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { fixtureRoot, readAll, refOf, scenarios, sessionsOf } from "./fixtures.ts";

describe.each(scenarios)("%s", (scenario) => {
  for (const { path } of sessionsOf(scenario)) {
    const name = relative(join(fixtureRoot, scenario, ".gemini/tmp"), path).replaceAll(
      /[^\w.-]/g,
      "_",
    );
    const golden = join(
      dirname(fixtureRoot),
      "gemini-cli",
      scenario,
      "golden",
      `${name.slice(-48)}.jsonl`,
    );

    test(`${name} reads as it always did`, async () => {
      const { events } = await readAll(refOf(path), { allBranches: true });
      const lines = events.map(({ native: _, ...event }) => JSON.stringify(event));
      await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(golden);
    });
  }
});
