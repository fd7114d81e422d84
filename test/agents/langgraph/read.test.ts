import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { langgraph } from "../../../src/agents/langgraph/index.ts";
import { agentCases } from "../../../src/testing/agent-cases.ts";
import { environmentIn, fixtureOf, projectOf, readThread, threadsOf, versions } from "./threads.ts";

describe.each(versions)("a database of %s", (version) => {
  test("is read as reviewed", async () => {
    const env = environmentIn(fixtureOf(version));
    const found: Record<string, unknown> = {};
    for (const [thread, ref] of threadsOf(env)) {
      const { events, damage } = await readThread(ref, { allBranches: true });
      const { path: _path, cwd: _cwd, project: _project, ...head } = langgraph.head(ref, env)!;
      const told = events.map(({ native: _native, ...event }) => event);
      found[thread] = { head, damage, events: told };
    }
    const golden = join(fixtureOf(version), "..", "golden.json");
    if (process.env["UPDATE_GOLDEN"]) writeFileSync(golden, `${JSON.stringify(found, null, 2)}\n`);
    expect(JSON.parse(JSON.stringify(found))).toEqual(JSON.parse(readFileSync(golden, "utf8")));
  });

  describe("keeps the rules of every reader", () => {
    const env = projectOf(version);
    const sessions = [...threadsOf(env).keys()];
    test.each(agentCases)("$name", ({ run }) =>
      run({ agent: langgraph, env, folder: env.cwd, sessions }),
    );
  });
});
