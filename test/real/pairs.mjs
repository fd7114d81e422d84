// One pair: a session goes from one agent into another and is continued there by the real program.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { SessionManager } from "reprise";
import { firstDifference, heldBy, toldIn } from "./compare.mjs";
import { openHome } from "./home.mjs";
import { allowedFor, carry, located, saidIn } from "./library.mjs";
import { shellCommand } from "./programs.mjs";
import { story, writeRich } from "./rich.mjs";

let probes = 0;

/** A prompt no other turn has. One word: OpenCode puts several into quotes. */
function probe() {
  probes += 1;
  return `Probe-${probes}-of-${process.pid}.`;
}

/**
 * The rich session in a program's own store, continued twice by the program itself: the pair from reprise
 * into it, and the source of the pairs that follow. The first turn makes a real tool call.
 */
export async function sourceFor(program, { root, cwd }) {
  const { agent } = program;
  const home = await openHome(program, { root, name: `${agent}-source`, cwd });
  try {
    const rich = await richSession(agent, { root, cwd });
    const problems = [];
    const into = { to: agent, into: home.env, cwd, problems };
    const ref = await carry({ from: "reprise", ...rich }, into);
    const held = heldBy(story, allowedFor(agent));
    const continued = await continueTwice(home, { ref, held, source: agent, cwd, problems });
    return { agent, env: home.env, ...continued, problems };
  } finally {
    await home.close();
  }
}

/** The session of the library itself as a source, in the words of its own chat. */
export async function ownSource({ root, cwd }) {
  const { ref, env } = await richSession("reprise", { root, cwd });
  return { agent: "reprise", env, ref, story, problems: [] };
}

async function richSession(agent, { root, cwd }) {
  const home = join(root, `rich-${agent}`);
  mkdirSync(home, { recursive: true });
  const env = { variables: {}, platform: process.platform, home, cwd };
  const session = SessionManager.create(cwd, undefined, { env, sync: "none" });
  await writeRich(session, agent);
  return { env, ref: located("reprise", { env, session: session.getSessionId() }) };
}

/** Converts a source into a program's store and lets the program continue it; returns what was wrong. */
export async function pair(source, program, { root, cwd }) {
  const { agent } = program;
  const name = `${source.agent}-to-${agent}-${program.version}`;
  const home = await openHome(program, { root, name, cwd });
  try {
    const problems = [];
    const ref = await carry(fromSource(source), { to: agent, into: home.env, cwd, problems });
    const held = heldBy(source.story, allowedFor(agent)).map((atom) =>
      atom.kind === "image" && program.namesImages ? { ...atom, isNamed: true } : atom,
    );
    await continueTwice(home, { ref, held, source: source.agent, cwd, problems });
    return problems;
  } finally {
    await home.close();
  }
}

/** Sends a session to another agent and back; returns where it does not say what it said. */
export async function roundTrip(source, through, back, { root, cwd }) {
  const name = `${source.agent}-through-${through.agent}`;
  const there = await homeFor(through, { root, name: `${name}-there`, cwd });
  const home = await homeFor(back, { root, name: `${name}-back`, cwd });
  const problems = [];
  const passing = { to: through.agent, into: there, cwd, problems };
  const passed = await carry(fromSource(source), passing);
  const returning = { from: through.agent, ref: passed, env: there };
  const returned = await carry(returning, { to: back.agent, into: home, cwd, problems });
  const lossy = allowedFor(through.agent).includes("resultImage");
  const held = (said) => (lossy ? said.map(withoutResultImage) : said);
  const before = held(await saidIn(source.agent, source.ref));
  const after = held(await saidIn(back.agent, returned));
  const index = before.findIndex((atom, at) => atom !== after[at]);
  if (index >= 0 || after.length !== before.length) {
    const at = index < 0 ? before.length : index;
    problems.push(`came back as ${shown(after[at])} instead of ${shown(before[at])}`);
  }
  return problems;
}

function fromSource({ agent, ref, env }) {
  return { from: agent, ref, env };
}

/** Into our own store: what a model would be given is compared, and it is continued twice. */
export async function pairIntoOwn(source, { root, cwd }) {
  const home = join(root, `${source.agent}-to-reprise`);
  mkdirSync(home, { recursive: true });
  const env = { variables: {}, platform: process.platform, home, cwd };
  const problems = [];
  const ref = await carry(fromSource(source), { to: "reprise", into: env, cwd, problems });
  const expected = toldIn(source.story, { source: source.agent, target: "reprise" });
  for (let turn = 0; turn < 2; turn += 1) {
    const session = SessionManager.open(ref.path, undefined, { env });
    const prompt = probe();
    await session.appendUser(prompt);
    expected.push({ kind: "user", text: prompt });
    expectSent(expected, [...contextAtoms(session.buildSessionContext())], "reprise");
    await session.appendAssistant(`Answer to ${prompt}`);
    expected.push({ kind: "assistant", text: `Answer to ${prompt}` });
    await session.close();
  }
  const listed = await SessionManager.listAll({ env });
  if (!listed.some(({ session }) => session === ref.session)) problems.push("it is not listed");
  return problems;
}

/**
 * Continues a session twice with the real program, first by its id, then as its newest one; a first turn
 * calls the program's own shell. Then the program must still list it, and our reader must find what was
 * said before unchanged and what was said now added.
 */
async function continueTwice(home, { ref, held, source, cwd, problems }) {
  const { agent } = home.program;
  const before = await saidIn(agent, ref);
  const expected = toldIn(held, { source, target: agent });
  const [first, second] = [probe(), probe()];
  const answer = (prompt) => `Answer to ${prompt}`;

  const sent = await home.turn({
    session: ref.session,
    prompt: first,
    says: [home.shell, answer(first)],
  });
  expected.push({ kind: "user", text: first });
  expectSent(expected, sent[0], agent);
  const turn = ownTurn(sent[1] ?? [], { prompt: first, answer: answer(first) });
  expected.push(...toldIn(turn.slice(1), { source: agent, target: agent }));

  const sentAgain = await home.turn({ prompt: second, says: [answer(second)] });
  expected.push({ kind: "user", text: second });
  expectSent(expected, sentAgain[0], agent);

  const listed = await home.list();
  if (listed !== undefined && !listed.includes(ref.session)) {
    problems.push(`it does not list ${ref.session}: ${listed.slice(0, 300)}`);
    return { ref, story: held };
  }
  const found = located(agent, { env: home.env, session: ref.session, projects: [cwd] });
  const after = await saidIn(agent, found);
  const changed = before.findIndex((atom, index) => after[index] !== atom);
  if (changed >= 0) {
    problems.push(`reads ${shown(after[changed])} where ${shown(before[changed])} was`);
  }
  const last = [
    { kind: "user", text: second },
    { kind: "assistant", text: answer(second) },
  ];
  const added = after.slice(before.length);
  for (const { kind, text } of [...turn, ...last].filter((atom) =>
    /user|assistant/.test(atom.kind),
  )) {
    if (!added.includes(`${kind} ${text}`)) problems.push(`does not read ${text}: ${shown(added)}`);
  }
  return { ref: found, story: [...held, ...turn, ...last] };
}

/** The turn with the program's own call, its result as the program told it. */
function ownTurn(sent, { prompt, answer }) {
  const call = sent.findLast(({ kind }) => kind === "call");
  const result = sent.findLast(({ kind }) => kind === "result");
  if (call === undefined || result?.id !== call.id)
    throw new Error("its own call was not answered");
  const act = { act: "shell", command: shellCommand };
  return [
    { kind: "user", text: prompt },
    { kind: "call", id: call.id, act, extra: Object.keys(call.input) },
    { kind: "result", id: result.id, text: result.text },
    { kind: "assistant", text: answer },
  ];
}

async function homeFor(program, { root, name, cwd }) {
  if (program.argv === undefined) {
    return { variables: {}, platform: process.platform, home: join(root, name), cwd };
  }
  const home = await openHome(program, { root, name, cwd });
  await home.close();
  return home.env;
}

function expectSent(expected, sent, agent) {
  const difference = firstDifference(expected, sent, agent);
  if (difference !== undefined) throw new Error(difference);
}

function* contextAtoms({ messages }) {
  for (const { role, content } of messages) {
    for (const block of content) {
      if (block.type === "text") yield { kind: role, text: block.text };
      else if (block.type === "image") yield { kind: "image", data: block.source.data };
      else if (block.type === "tool_use") {
        yield { kind: "call", id: block.call, name: block.name, input: block.input };
      } else if (block.type === "tool_result") yield* resultAtoms(block);
    }
  }
}

function* resultAtoms({ call, content }) {
  const texts = content.filter(({ type }) => type === "text");
  yield { kind: "result", id: call, text: texts.map(({ text }) => text).join("\n") };
  for (const block of content) {
    if (block.type === "image") yield { kind: "image", data: block.source.data };
  }
}

/** Where the library may leave an image of a result behind. */
function withoutResultImage(atom) {
  return atom.startsWith("result ") ? atom.replace(/\n?\[image [^\n]*\]$/, "") : atom;
}

function shown(value) {
  return JSON.stringify(value)?.slice(0, 300);
}
