import assert from "node:assert/strict";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { AgentEvent } from "../agents/contract.ts";
import { type AgentCase, eventsOf, refsOf } from "./agent-scene.ts";
import { fileCases } from "./file-cases.ts";

export type { AgentCase, AgentScene } from "./agent-scene.ts";

/** What every reader does with sessions that are whole. */
const readingCases: readonly AgentCase[] = [
  {
    name: "locate finds the sessions, each once",
    async run(scene) {
      const found = refsOf(scene).map(({ session }) => session);
      assert.deepEqual(found.toSorted(), [...scene.sessions].sort());
    },
  },
  {
    name: "locate yields nothing on a machine without the agent",
    async run({ agent, env }) {
      const home = join(env.home, "nobody");
      assert.deepEqual([...agent.locate({ ...env, variables: {}, home, cwd: home })], []);
    },
  },
  {
    name: "a head names its agent and session and has a time",
    async run(scene) {
      for (const ref of refsOf(scene)) {
        const head = scene.agent.head(ref, scene.env);
        assert.ok(head !== undefined);
        assert.equal(head.agent, scene.agent.name);
        assert.ok(!Number.isNaN(Date.parse(head.updatedAt)));
      }
    },
  },
  {
    name: "event numbers are unique and stable between two reads",
    async run(scene) {
      for (const ref of refsOf(scene)) {
        const first = (await eventsOf(scene.agent, ref, { allBranches: true })).map(
          ({ number }) => number,
        );
        const second = (await eventsOf(scene.agent, ref, { allBranches: true })).map(
          ({ number }) => number,
        );
        assert.deepEqual(first, second);
        assert.equal(new Set(first).size, first.length);
      }
    },
  },
  {
    name: "without all branches only live events are given",
    async run(scene) {
      for (const ref of refsOf(scene)) {
        const events = await eventsOf(scene.agent, ref, {});
        assert.ok(events.every(({ live }) => live));
      }
    },
  },
  {
    name: "the last events are the end of the live path",
    async run(scene) {
      for (const ref of refsOf(scene)) {
        const all = (await eventsOf(scene.agent, ref, {})).map(({ number }) => number);
        const last = (await eventsOf(scene.agent, ref, { last: 3 })).map(({ number }) => number);
        assert.deepEqual(last, all.slice(-last.length));
        assert.equal(last.length, Math.min(3, all.length));
      }
    },
  },
  {
    name: "reading on from the end gives nothing new",
    async run(scene) {
      for (const ref of refsOf(scene)) {
        let cursor = "";
        for await (const batch of scene.agent.read(ref)) cursor = batch.cursor;
        for await (const batch of scene.agent.read(ref, { from: cursor })) {
          assert.ok(!batch.restart);
          assert.deepEqual(batch.events, []);
        }
      }
    },
  },
  {
    name: "a cursor that this reader did not make begins again, and says so",
    async run(scene) {
      for (const ref of refsOf(scene)) {
        const all = await eventsOf(scene.agent, ref, {});
        let restarts = 0;
        const events: AgentEvent[] = [];
        for await (const batch of scene.agent.read(ref, { from: "nobody's" })) {
          if (batch.restart) restarts += 1;
          events.push(...batch.events);
        }
        assert.equal(restarts, 1);
        assert.deepEqual(
          events.map(({ number }) => number),
          all.map(({ number }) => number),
        );
      }
    },
  },
  {
    name: "reading changes nothing in the agent's folder",
    async run(scene) {
      const before = listing(scene.folder);
      for (const ref of refsOf(scene)) {
        scene.agent.head(ref, scene.env);
        await eventsOf(scene.agent, ref, { allBranches: true });
      }
      assert.deepEqual(listing(scene.folder), before);
    },
  },
];

/** The suite that proves an agent's reader; works with any test runner. */
export const agentCases: readonly AgentCase[] = [...readingCases, ...fileCases];

/** Names, sizes and times of everything below a folder. */
function listing(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .sort()
    .map((name) => {
      const { size, mtimeMs } = statSync(join(folder, name));
      return `${name} ${size} ${mtimeMs}`;
    });
}
