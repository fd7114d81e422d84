import {
  appendFileSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { AgentEvent } from "../../../src/agents/contract.ts";
import { loadAgents } from "../../../src/agents/registry.ts";
import { blame } from "../../../src/catalog/blame/blame.ts";
import { keptActs } from "../../../src/catalog/blame/kept-acts.ts";
import { targetAt } from "../../../src/catalog/blame/places.ts";
import { sessionActs } from "../../../src/catalog/blame/session-acts.ts";
import { foldedActs, unfoldedActs } from "../../../src/catalog/blame/text-fold.ts";
import type { Candidate } from "../../../src/catalog/blame/touching.ts";
import { SessionManager } from "../../../src/index.ts";
import { agentNamed } from "../../convert/stores.ts";
import { seeded } from "../../random.mjs";
import { TrackedFile } from "./random-edits.ts";
import { Workshop } from "./workshop.ts";

const agents = await loadAgents();
const seed = 20_261_118;
/** Those whose sessions lie in files of their own, as they are. */
const inFiles = ["claude-code", "codex", "gemini-cli", "pi"] as const;

function folderOf(shop: Workshop): string {
  return join(shop.env.home, ".reprise", "derived", "blame");
}

/** Asks with what is kept; `read` counts the events that were read for it. */
async function asked(
  shop: Workshop,
  name: string,
  given: { readonly sessions: readonly Candidate[]; readonly program?: string },
) {
  const { sessions, program = "1.0.0" } = given;
  const kept = keptActs(folderOf(shop), { program, agents });
  let read = 0;
  const told = await blame(targetAt(shop.path(name)), {
    sessions,
    agents,
    kept,
    onEvents: (count) => {
      read += count;
    },
  });
  kept.forgetOthers(sessions);
  return { told, read };
}

/** A session in which an agent writes two files whole. */
function writes(shop: Workshop, agent: string, names: readonly string[]): void {
  const worker = shop.begin(agent, "please write");
  for (const name of names) {
    const content = `one of ${agent}\ntwo é 猫\n`;
    shop.put(name, content);
    shop.record(worker, { name: "Write", input: { file_path: shop.path(name), content } });
  }
}

/** The session as it is now. */
function again({ agent, ref }: Candidate, shop: Workshop): Candidate {
  const { size: sizeBytes, mtimeMs: modifiedMs } = statSync(ref.path);
  const now = { ...ref, sizeBytes, modifiedMs };
  return { agent, ref: now, head: agent.head(now, shop.env)! };
}

test(`the answer is the same with what was kept and without, and nothing is read, seed ${seed}`, async () => {
  for (let round = 0; round < 6; round += 1) {
    const random = seeded(seed, round);
    const shop = new Workshop();
    const file = new TrackedFile(shop, random, { writes: true });
    file.begin(12);
    const team = ["claude-code", "codex", "gemini-cli", "opencode"].map((agent) =>
      shop.begin(agent, `please work, ${agent}`),
    );
    for (let edits = 30; edits > 0; edits -= 1) file.edit(random.pick(team));
    const sessions = await shop.sessions();
    const fresh = await shop.blame(file.name, sessions);
    const first = await asked(shop, file.name, { sessions });
    const second = await asked(shop, file.name, { sessions });
    expect(first.told, `round ${round}`).toEqual(fresh);
    expect(second.told, `round ${round}`).toEqual(fresh);
    const inDatabase = sessions.filter(({ agent }) => agent.name === "opencode");
    const others = await asked(shop, file.name, { sessions: inDatabase });
    // A database is read each time.
    expect(second.read).toBe(others.read);
    expect(first.read).toBeGreaterThan(second.read);
  }
});

test("what was learned for one file answers for every other file of the session", async () => {
  const shop = new Workshop();
  for (const agent of inFiles) writes(shop, agent, [`${agent}.txt`, "shared.txt"]);
  const sessions = await shop.sessions();
  await asked(shop, "shared.txt", { sessions });
  for (const agent of inFiles) {
    const { told, read } = await asked(shop, `${agent}.txt`, { sessions });
    expect(read, agent).toBe(0);
    expect(told, agent).toEqual(await shop.blame(`${agent}.txt`, sessions));
  }
  for (const name of readdirSync(folderOf(shop))) {
    expect(statSync(join(folderOf(shop), name)).mode & 0o777).toBe(0o600);
  }
  expect(readdirSync(folderOf(shop))).toHaveLength(inFiles.length);
});

test("a session that changed is read anew, the others are not, and one that is gone is forgotten", async () => {
  const shop = new Workshop();
  for (const agent of ["claude-code", "pi"]) writes(shop, agent, ["shared.txt"]);
  const before = await shop.sessions();
  await asked(shop, "shared.txt", { sessions: before });
  const [claude, pi] = before;
  appendFileSync(claude!.ref.path, `${JSON.stringify({ type: "summary", summary: "more" })}\n`);
  const sessions = [again(claude!, shop), pi!];
  const { told, read } = await asked(shop, "shared.txt", { sessions });
  expect(told).toEqual(await shop.blame("shared.txt", sessions));
  expect(read).toBeGreaterThan(0);
  expect((await asked(shop, "shared.txt", { sessions })).read).toBe(0);
  rmSync(claude!.ref.path);
  writes(shop, "pi", ["shared.txt"]);
  await asked(shop, "shared.txt", { sessions: [pi!, ...(await shop.sessions())] });
  expect(readdirSync(folderOf(shop))).toHaveLength(2);
});

test("what is damaged, deleted or of another build of the program is made anew", async () => {
  const shop = new Workshop();
  writes(shop, "claude-code", ["a.txt"]);
  const sessions = await shop.sessions();
  const { told, read } = await asked(shop, "a.txt", { sessions });
  const [name] = readdirSync(folderOf(shop));
  const file = join(folderOf(shop), name!);
  for (const bytes of ["", "{", "null", '{"version":"0"}', undefined]) {
    if (bytes === undefined) rmSync(folderOf(shop), { recursive: true });
    else writeFileSync(file, bytes);
    expect(await asked(shop, "a.txt", { sessions })).toEqual({ told, read });
    expect(await asked(shop, "a.txt", { sessions })).toEqual({ told, read: 0 });
  }
  expect((await asked(shop, "a.txt", { sessions, program: "1.0.1" })).read).toBe(read);
});

test("of sealed sessions nothing is kept, also where the key is there", async () => {
  const shop = new Workshop();
  const variables = { ...shop.env.variables, REPRISE_KEY: "hunter2" };
  const env = { ...shop.env, variables };
  const session = SessionManager.create(env.cwd, undefined, { env, seal: true });
  await session.append({ type: "user", content: "the secret papaya" });
  const input = { file_path: shop.path("a.txt"), content: "papaya\n" };
  await session.append({ type: "tool_use", call: "c1", name: "Write", input });
  await session.append({ type: "tool_result", call: "c1", content: "ok" });
  await session.close();
  shop.put("a.txt", "papaya\n");
  writes(shop, "pi", ["b.txt"]);
  const agent = agentNamed("reprise");
  const sealed = [...agent.locate(env)].map((ref) => ({ agent, ref, head: agent.head(ref, env)! }));
  expect(sealed.map(({ head }) => head.sealed)).toEqual([true]);
  const sessions = [...sealed, ...(await shop.sessions())];
  await asked(shop, "a.txt", { sessions });
  await asked(shop, "b.txt", { sessions });
  const kept = readdirSync(folderOf(shop));
  expect(kept).toHaveLength(1);
  expect(readFileSync(join(folderOf(shop), kept[0]!), "utf8")).not.toContain("papaya");
});

test("what is proposed for one file stays proposed while another one is", async () => {
  const proposal = (path: string): string =>
    `${path}\n<<<<<<< SEARCH\nold\n=======\nnew of ${path}\n>>>>>>> REPLACE\n`;
  const bodies = [
    { type: "user", content: "change both" },
    { type: "assistant", content: proposal("a.txt") },
    { type: "assistant", content: proposal("b.txt") },
    { type: "file", path: "a.txt", action: "modified" },
    { type: "file", path: "b.txt", action: "modified" },
  ] as const;
  async function* events(): AsyncGenerator<AgentEvent> {
    for (const [at, body] of bodies.entries()) yield { number: `${at + 1}`, live: true, body };
  }
  const acts: unknown[] = [];
  for await (const { event, path, changes } of sessionActs(events(), { dialects: [] }))
    acts.push([event, path, changes]);
  const change = (path: string) => [expect.objectContaining({ after: `new of ${path}\n` })];
  expect(acts).toEqual([
    ["2", "a.txt", change("a.txt")],
    ["3", "b.txt", change("b.txt")],
  ]);
});

test("texts that are folded are unfolded as they were", () => {
  const texts = ["", "aa", "aaa", "a", "b", "ab", "aab", "", "a\ud83d", "a\ud83d\ude00", "x"];
  const acts = texts.flatMap((textBefore, at) =>
    texts.map((textAfter, to) => ({
      path: at % 2 === 0 ? "a" : "b",
      action: "modified" as const,
      changes: [],
      event: `${at}`,
      outcome: "done" as const,
      ...(to % 3 !== 0 && { textBefore }),
      ...(to % 4 !== 0 && { textAfter }),
    })),
  );
  expect(unfoldedActs(foldedActs(acts))).toEqual(acts);
});
