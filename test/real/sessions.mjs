// Every session below a folder that is laid out like a home, into every target and back: what was said and done must
// come back as it was, but for what a target may lose. Nothing is written into the folder.
import { cpSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { loadAgents } from "../../dist/rooms/agents/registry.js";
import { convert } from "../../dist/rooms/convert/convert.js";
import { losesConversation } from "../../dist/rooms/convert/report.js";
import { saidIn } from "./library.mjs";

const agents = await loadAgents();
const targets = agents.filter(({ writer }) => writer !== undefined);
// Only the program makes its database; this one is empty but for one session.
const emptyDatabase = new URL(
  "../fixtures/opencode/1.18.33/plain/.local/share/opencode",
  import.meta.url,
).pathname;

/** Converts every session of a home into every target and back; tells each row as it is done. */
export async function* provenSessions(folder, { root }) {
  const env = { variables: {}, platform: process.platform, home: folder, cwd: folder };
  const cwds = agents.flatMap((agent) =>
    [...agent.locate(env)].map((ref) => agent.head(ref, env)?.cwd),
  );
  const projects = [...new Set(cwds)].filter((cwd) => cwd !== undefined);
  for (const agent of agents) {
    for (const ref of agent.locate(env, { projects })) {
      const head = agent.head(ref, env);
      if (head === undefined) continue;
      const said = await saidIn(agent.name, ref);
      for (const target of targets) {
        const about = { source: agent.name, session: ref.session, target: target.name };
        const problems = await thereAndBack({ agent, ref, head, said }, target, root).catch(
          (error) => [error.message ?? String(error)],
        );
        yield { ...about, items: said.length, problems };
      }
    }
  }
}

async function thereAndBack({ agent, ref, head, said }, target, root) {
  // Nobody said anything: there is nothing to carry.
  if (said.length === 0) return [];
  const env = newUser(join(root, "user"));
  try {
    const source = { agent, ref };
    const there = await carried({ source, head, target }, env);
    const problems = lostIn(there);
    const { holds } = await target.writer();
    // What is told as text comes back as text; that it is all there was compared when it was written.
    if (agent.writer === undefined || !holds.tools) return problems;
    const { ref: on } = there.written;
    const onTheWay = target.head(on, env);
    if (onTheWay === undefined) return [...problems, `${target.name} does not find it`];
    const returning = { source: { agent: target, ref: on }, head: onTheWay, target: agent };
    const back = await carried(returning, env);
    const came = await saidIn(agent.name, back.written.ref);
    const lost = [...there.losses, ...back.losses].some((loss) => losesConversation([loss]));
    return [...problems, ...lostIn(back), ...differences(said, came, { lost })];
  } finally {
    rmSync(env.home, { recursive: true, force: true });
  }
}

/** Whole, whatever the window of a model: what does not fit is another promise. */
function carried(request, env) {
  return convert({ ...request, env, cwd: env.cwd, budgetTokens: Number.MAX_SAFE_INTEGER });
}

function lostIn({ unexpected }) {
  return unexpected.map((loss) => `lost without leave: ${JSON.stringify(loss)}`);
}

function differences(said, came, { lost }) {
  const [before, after] = lost ? [withoutImages(said), withoutImages(came)] : [said, came];
  const at = before.findIndex((atom, index) => atom !== after[index]);
  if (at < 0 && before.length === after.length) return [];
  const index = at < 0 ? before.length : at;
  return [
    `item ${index + 1} of ${before.length}: ${shown(before[index])} came back as ${shown(after[index])}`,
  ];
}

/** Images and files may stay behind where a target says so; what is said beside them may not. */
function withoutImages(said) {
  return said
    .filter((atom) => !/^user \[(?:image|file) /.test(atom))
    .map((atom) => atom.replaceAll(/\n?\[(?:image|file) [^\n]*\]/g, "").trimEnd());
}

function newUser(home) {
  const cwd = join(home, "project");
  mkdirSync(cwd, { recursive: true });
  const database = join(home, ".local/share/opencode");
  mkdirSync(database, { recursive: true });
  for (const name of readdirSync(emptyDatabase).filter((file) => file.startsWith("opencode.db"))) {
    cpSync(join(emptyDatabase, name), join(database, name));
  }
  return { variables: { HOME: home }, platform: process.platform, home, cwd };
}

/** The beginning alone: sessions of real people are nobody's business. */
function shown(atom) {
  return atom === undefined ? "nothing" : JSON.stringify(atom.slice(0, 40));
}

/** Runs a folder to its end and tells what does not hold; whether all did. */
export async function provenFolder(folder, { root, say }) {
  const counts = new Map();
  let failed = 0;
  for await (const { source, session, target, problems } of provenSessions(folder, { root })) {
    const key = `${source} -> ${target}`;
    const { good = 0, all = 0 } = counts.get(key) ?? {};
    counts.set(key, { good: good + (problems.length === 0 ? 1 : 0), all: all + 1 });
    if (problems.length === 0) continue;
    failed += 1;
    say(`FAILED ${source}:${session} -> ${target}: ${problems.join("; ")}`);
  }
  for (const [key, { good, all }] of counts) say(`${key}: ${good} of ${all} there and back`);
  return failed === 0 && counts.size > 0;
}
