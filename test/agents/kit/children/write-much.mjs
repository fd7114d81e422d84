// Writes a session larger than a file may be here, and tells how that failed.
import { loadAgents } from "../../../../dist/rooms/agents/registry.js";

const agents = await loadAgents();

const [name, home, cwd] = process.argv.slice(2);
const env = { variables: { HOME: home }, platform: "linux", home, cwd };
const at = "2026-11-14T09:00:00.000Z";
const about = { cwd, createdAt: at, updatedAt: at, from: { agent: "elsewhere", session: "s" } };
const writer = await agents.find((agent) => agent.name === name).writer();

async function* much() {
  for (let turn = 0; turn < 400; turn += 1) {
    yield { role: "user", content: [{ type: "text", text: `${turn} ${"q".repeat(5_000)}` }], at };
    yield {
      role: "assistant",
      content: [{ type: "text", text: `${turn} ${"a".repeat(5_000)}` }],
      at,
    };
  }
}

try {
  await writer.write(much(), { env, about });
  process.stdout.write(JSON.stringify({ failed: false }));
} catch (error) {
  process.stdout.write(JSON.stringify({ failed: true, code: error.code, message: error.message }));
}
