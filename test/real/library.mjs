// The library as the suite uses it: convert, read back, tell a session in atoms.
import { loadAgents } from "../../dist/rooms/agents/registry.js";
import { sourceBatches } from "../../dist/rooms/agents/source.js";
import { convert } from "../../dist/rooms/convert/convert.js";
import { Normaliser } from "../../dist/rooms/convert/normalise.js";
import { Losses } from "../../dist/rooms/convert/report.js";
import { everything } from "../../dist/rooms/convert/verify.js";

const agents = await loadAgents();

/** An agent of the library by its name. */
export function agentNamed(name) {
  return agents.find((agent) => agent.name === name);
}

/** What a conversion into an agent may lose. */
export function allowedFor(agent) {
  return agentNamed(agent).losses;
}

/** One session of an agent, found again by its own id as a user's would be. */
export function located(name, { env, session, projects }) {
  const agent = agentNamed(name);
  for (const ref of agent.locate(env, { projects })) {
    // A place may tell the id only in part; the head tells all of it.
    if (ref.session === session || agent.head(ref, env)?.session === session) return ref;
  }
  throw new Error(`${name}:${session} is not found any more`);
}

/**
 * Converts a session into another agent's store. Anything lost beyond what is allowed is an error; a title
 * that got lost without a word is a problem, told to `problems`.
 */
export async function carry({ from, ref, env }, { to, into, cwd, problems }) {
  const source = { agent: agentNamed(from), ref };
  const target = agentNamed(to);
  const head = source.agent.head(ref, env);
  if (head === undefined) throw new Error("the source is not there any more");
  const done = await convert({ source, head, target, env: into, cwd });
  const { unexpected, losses, damage, written } = done;
  if (unexpected.length > 0) throw new Error(`lost without leave: ${JSON.stringify(unexpected)}`);
  if (damage !== undefined) throw new Error(`read with damage: ${damage}`);
  const title = target.head(written.ref, into)?.title;
  if (head.titled && title !== head.title && !losses.some(({ field }) => field === "title")) {
    problems.push(`the title became ${JSON.stringify(title)}`);
  }
  return written.ref;
}

/** What a session says, as the library reads it. A summary may be kept as a user's words. */
export async function saidIn(agent, ref) {
  const normaliser = new Normaliser({
    holds: everything,
    sameAgent: true,
    from: undefined,
    to: undefined,
    mappings: [],
    losses: new Losses(),
  });
  const said = [];
  for await (const message of normaliser.all(sourceBatches({ agent: agentNamed(agent), ref }))) {
    said.push(...linesOf(message));
  }
  return said;
}

function* linesOf(message) {
  if (message.role === "summary") yield `user ${message.text.trim()}`;
  else if (message.role === "results") {
    for (const { call, content } of message.results) {
      yield `result ${call} ${content.map(given).join("\n").trim()}`;
    }
  } else {
    for (const part of message.content) {
      if (part.type === "tool_use") yield `call ${part.call} ${part.name} ${ordered(part.input)}`;
      else if (part.type !== "thinking") yield `${message.role} ${given(part)}`;
    }
  }
}

/** Agents trim what they store: blanks around a text are not what was said. */
function given(block) {
  return block.type === "text" ? block.text.trim() : `[${block.type} ${block.source.data}]`;
}

/** JSON with its keys in order: the order of arguments means nothing. */
function ordered(value) {
  return JSON.stringify(value, (_key, inner) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
