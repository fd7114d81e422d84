// Reads a home with a damaged session in every way there is, one order per line of its input: {home}. Answers each
// with {problems, peakMb}; whatever is thrown is a problem, unless it is an error that says what to do.
import { createInterface } from "node:readline";
import { loadAgents } from "../../../dist/rooms/agents/registry.js";
import { eventText } from "../../../dist/rooms/catalog/index/event-text.js";
import { gatherUsage } from "../../../dist/rooms/catalog/usage/gather.js";
import { planConversion } from "../../../dist/rooms/convert/convert.js";

const agents = await loadAgents();
for await (const line of createInterface({ input: process.stdin })) {
  const { home } = JSON.parse(line);
  const env = { variables: {}, platform: process.platform, home, cwd: home };
  const problems = [];
  const noted = async (what, work) => {
    try {
      await work();
    } catch (error) {
      const isClear = error?.name === "RepriseError" && error.code !== "failed";
      if (!isClear) problems.push(`${what}: ${error?.stack ?? error}`);
    }
  };
  let sessions = 0;
  for (const agent of agents) {
    await noted(`${agent.name}: locate`, async () => {
      for (const ref of agent.locate(env)) {
        sessions += 1;
        await readInEveryWay(agent, ref, { env, noted });
      }
    });
  }
  await noted("usage", () => gatherUsage({ env, agents: async () => agents }));
  const peakMb = process.resourceUsage().maxRSS / 1024;
  process.stdout.write(`${JSON.stringify({ problems, sessions, peakMb })}\n`);
}

async function readInEveryWay(agent, ref, { env, noted }) {
  let head;
  await noted(`${agent.name}: opening`, async () => agent.opening?.(ref, env));
  await noted(`${agent.name}: head`, async () => {
    head = agent.head(ref, env);
  });
  let cursor;
  for (const options of [{}, { allBranches: true }, { last: 20 }, { last: 5, allBranches: true }]) {
    await noted(`${agent.name}: read ${JSON.stringify(options)}`, async () => {
      for await (const batch of agent.read(ref, options)) {
        ({ cursor } = batch);
        for (const { body } of batch.events) eventText(body);
      }
    });
  }
  await noted(`${agent.name}: read on`, async () => {
    for await (const _batch of agent.read(ref, { from: cursor }));
  });
  if (head === undefined || head.problem !== undefined) return;
  const target = agents.find(
    ({ name }) => name === (agent.name === "codex" ? "claude-code" : "codex"),
  );
  await noted(`${agent.name}: plan`, () =>
    planConversion({ source: { agent, ref }, head, target, env }),
  );
}
