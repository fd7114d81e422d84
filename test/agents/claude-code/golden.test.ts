import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { AgentEvent } from "../../../src/agents/contract.ts";
import { fixtures, readAll, sessionsIn } from "./store.ts";

for (const version of ["2.0.30", "2.1.325"]) {
  describe(version, () => {
    const scenarios = readdirSync(join(fixtures, version), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);

    for (const scenario of scenarios) {
      const home = join(fixtures, version, scenario);
      test(`${scenario}: every event is what it was`, async () => {
        const sessions: Record<string, unknown> = {};
        for (const [session, ref] of sessionsIn(home)) {
          const { events, damage, unknown } = await readAll(ref, { allBranches: true });
          sessions[session] = { events: events.map(bare), damage, unknown };
        }
        const text = `${JSON.stringify(sessions, placed(home), 1)}\n`;
        await expect(text).toMatchFileSnapshot(`${home}.golden.json`);
      });
    }
  });
}

/** An event without its native record, which is the fixture itself. */
function bare({ native: _native, ...event }: AgentEvent): unknown {
  return event;
}

/** Paths of this machine become relative to the fixture; long texts are cut, with their length. */
function placed(home: string): (key: string, value: unknown) => unknown {
  return (_key, value) => {
    if (typeof value !== "string") return value;
    const text = value.replaceAll(home, "~");
    return text.length > 200 ? `${text.slice(0, 120)}…(${text.length})` : text;
  };
}
