import { join } from "node:path";
import { expect, test } from "vitest";
import { fixtures, readAll, refsIn } from "./store.ts";

const golden = [
  ["0.166.0", "tools", "01a1e08b-c80d-7e90-8b24-1ab58d723ab4"],
  ["0.166.0", "compacted-auto", "01a1e08c-fbec-7fb1-8307-e4066993326b"],
  ["0.105.0", "compacted", "01a1e099-5da3-7932-a7f1-d396f964d7cc"],
] as const;

for (const [version, scenario, session] of golden) {
  test(`${version} ${scenario}: all events are as they were`, async () => {
    const ref = refsIn(join(fixtures, version, scenario)).get(session)!;
    const { events } = await readAll(ref, { allBranches: true });
    const lines = events.map(({ native: _native, ...event }) => JSON.stringify(event));
    await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(
      join(fixtures, version, scenario, "events.golden.jsonl"),
    );
  });
}
