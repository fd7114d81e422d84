import { join } from "node:path";
import { expect, test } from "vitest";
import { loadAgents } from "../../src/agents/registry.ts";
import { exists } from "../../src/base/disk.ts";
import type { OutgoingMessage } from "../../src/model/outgoing.ts";
import { temporaryFolder } from "../temporary-folder.mjs";
import { environmentIn } from "./kit/keeper-projects.ts";
import { optionsIn, outgoing } from "./kit/keeper-writes.ts";

const agents = await loadAgents();
const keepers = agents.filter(({ notesWriter }) => notesWriter !== undefined);

test.each(keepers.map((agent) => [agent.name, agent] as const))(
  "%s: nothing is written for a project that is not on this machine",
  async (_name, agent) => {
    const env = environmentIn(join(temporaryFolder(), "elsewhere", "acme-api"));
    const writer = await agent.notesWriter!();
    await expect(writer.write(outgoing, optionsIn(env))).rejects.toMatchObject({
      code: "not_found",
      hint: expect.stringContaining("--cwd"),
    });
    expect(exists(join(env.cwd, ".."))).toBe(false);
  },
);

test("neither is a thread of LangGraph, which lies in the project", async () => {
  const env = environmentIn(join(temporaryFolder(), "elsewhere", "acme-api"));
  const writer = await agents.find(({ name }) => name === "langgraph")!.writer!();
  async function* said(): AsyncGenerator<OutgoingMessage> {
    const at = "2026-11-14T09:00:00.000Z";
    yield { role: "user", at, content: [{ type: "text", text: "Move the API" }] };
  }
  await expect(writer.write(said(), optionsIn(env))).rejects.toMatchObject({ code: "not_found" });
  expect(exists(join(env.cwd, ".."))).toBe(false);
});
