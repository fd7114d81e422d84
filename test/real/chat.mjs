// A session of one real program is continued in `reprise chat`, and what came of it is resumed by another real program.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { brokenRules, startModel } from "../loop/model-server.mjs";
import { firstDifference, heldBy, toldIn } from "./compare.mjs";
import { openHome } from "./home.mjs";
import { allowedFor, carry, located } from "./library.mjs";

const program = resolve(import.meta.dirname, "..", "..", "dist", "bin", "reprise.js");

/** Continues a source in the chat, then in another program; returns what was wrong. */
export async function provenChat(source, other, { root, cwd }) {
  const prompt = `Chat-of-${source.agent}-for-${other.agent}.`;
  const answer = "Said in the chat.";
  const model = await startModel(() => ({ text: answer }));
  const problems = [];
  try {
    const session = await talked({ source, cwd, url: model.url, prompt });
    const [request] = model.requests;
    problems.push(...brokenRules(request));
    const said = [
      { kind: "user", text: prompt },
      { kind: "assistant", text: answer },
    ];
    const story = [...toldIn(source.story, { source: source.agent, target: "reprise" }), said[0]];
    const difference = firstDifference(story, request.atoms, "reprise");
    if (difference !== undefined) problems.push(`the chat: ${difference}`);
    const ref = located("reprise", { env: source.env, session, projects: [cwd] });
    const name = `chat-${source.agent}-to-${other.agent}`;
    const home = await openHome(other, { root, name, cwd });
    try {
      const from = { from: "reprise", ref, env: source.env };
      const written = await carry(from, { to: other.agent, into: home.env, cwd, problems });
      const probe = `After-the-${name}.`;
      const sent = await home.turn({ session: written.session, prompt: probe, says: ["Resumed."] });
      // What the other program has no word for stays as the chat says it.
      const held = heldBy(source.story, allowedFor(other.agent));
      const expected = [
        ...toldIn(held, { source: source.agent, target: other.agent, through: "reprise" }),
        ...said,
        { kind: "user", text: probe },
      ];
      const lost = firstDifference(expected, sent[0], other.agent);
      if (lost !== undefined) problems.push(`${other.agent}: ${lost}`);
    } finally {
      await home.close();
    }
  } finally {
    await model.stop();
  }
  return problems;
}

/** Brings the session over and says something in it through the built program; returns the id of the session it is now. */
async function talked({ source, cwd, url, prompt }) {
  const { variables } = source.env;
  const env = {
    PATH: variables.PATH,
    HOME: source.env.home,
    REPRISE_MODEL: "claude-stub",
    ANTHROPIC_API_KEY: "dummy",
    ANTHROPIC_BASE_URL: url,
  };
  const named = `${source.agent}:${source.ref.session}`;
  const args = [program, "chat", "--resume", named, "--json"];
  const child = spawn(process.execPath, args, { cwd, env });
  let output = "";
  let errors = "";
  child.stdout.on("data", (data) => {
    output += data;
  });
  child.stderr.on("data", (data) => {
    errors += data;
  });
  child.stdin.end(`${prompt}\n`);
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`the chat ended with ${code}: ${errors}${output}`);
  return JSON.parse(output.trim()).ref.replace("reprise:", "");
}
