import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Agent, AgentEvent } from "../../../src/agents/contract.ts";
import { agentCases } from "../../../src/testing/agent-cases.ts";
import { temporaryFolder } from "../../temporary-folder.mjs";
import { environmentIn, fixtureOf, projectOf, sourcesOf } from "./keeper-projects.ts";
import { assertSurvives } from "./survives.ts";

async function eventsOf(agent: Agent, cwd: string) {
  const all: Record<string, unknown> = {};
  for (const ref of agent.locate(environmentIn(cwd))) {
    const events: AgentEvent[] = [];
    for await (const batch of agent.read(ref)) events.push(...batch.events);
    const head = agent.head(ref, environmentIn(cwd))!;
    all[ref.session] = {
      head: {
        ...head,
        path: undefined,
        cwd: undefined,
        project: undefined,
        updatedAt: undefined,
        createdAt: undefined,
      },
      events: events.map(({ number, at, body }) => ({ number, at, body })),
    };
  }
  return all;
}

/** What every program that keeps notes or state in projects is asked: golden output, the rules of readers, damage. */
export function describeKeeper(agent: Agent, versions: readonly string[]): void {
  describe.each(versions.map((version) => ({ version })))(
    `${agent.name} $version`,
    ({ version }) => {
      test("is read as reviewed", async () => {
        const found = JSON.parse(JSON.stringify(await eventsOf(agent, fixtureOf(agent, version))));
        const golden = join(fixtureOf(agent, version), "..", "golden.json");
        if (process.env["UPDATE_GOLDEN"])
          writeFileSync(golden, `${JSON.stringify(found, null, 2)}\n`);
        expect(found).toEqual(JSON.parse(readFileSync(golden, "utf8")));
      });

      describe("keeps the rules of every reader", () => {
        const env = projectOf(agent, version);
        const sessions = [...agent.locate(env)].map(({ session }) => session);
        test.each(agentCases)("$name", ({ run }) => run({ agent, env, folder: env.cwd, sessions }));
      });

      test("what no program of this kind wrote is not taken for its own", () => {
        const path = join(temporaryFolder(), "README.md");
        writeFileSync(path, "# Read me\n\nText\n");
        const ref = { agent: agent.name, session: "README", path, sizeBytes: 15, modifiedMs: 1 };
        expect(agent.head(ref, environmentIn("/nowhere"))).toBeUndefined();
      });
    },
  );

  test(`500 damaged copies of what ${agent.name} keeps are read`, async () => {
    for (const version of versions) {
      const { files, ref } = sourcesOf(agent, version);
      await assertSurvives({
        agent,
        kind: "json",
        sources: files,
        ref,
        rounds: 500 / versions.length,
      });
    }
  }, 60_000);

  test(`of a damaged page or state of ${agent.name} what was not touched comes back`, async () => {
    // The end is cut off in every place: what stands whole before it is read.
    for (const version of versions) {
      const { files, ref } = sourcesOf(agent, version);
      for (const file of files) {
        const bytes = readFileSync(file);
        const path = join(temporaryFolder(), file.split("/").at(-1)!);
        writeFileSync(path, bytes);
        const whole: AgentEvent[] = [];
        for await (const batch of agent.read(ref(path, "/p"))) whole.push(...batch.events);
        for (let cut = bytes.length - 1; cut > 0; cut -= 7) {
          writeFileSync(path, bytes.subarray(0, cut));
          const left: AgentEvent[] = [];
          for await (const batch of agent.read(ref(path, "/p"))) left.push(...batch.events);
          const natives = new Set(left.map(({ native }) => JSON.stringify(native)));
          const text = bytes.subarray(0, cut).toString("utf8");
          for (const { native } of whole) {
            if (typeof native !== "string" || !isCompleteIn(text, native)) continue;
            expect(natives, `${file} cut at ${cut}`).toContain(JSON.stringify(native));
          }
        }
      }
    }
  });
}

/** Whether a part stands in a text and another one behind it: a last one may have gone on. */
function isCompleteIn(text: string, part: string): boolean {
  const at = text.indexOf(part);
  return at >= 0 && /^#{1,3} +\S/m.test(text.slice(at + part.length));
}
