import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  findSession,
  listSessions,
  readHead,
  readSession,
  referenceTo,
  registerUserAgents,
} from "../../src/agents.ts";
import { convert, mappingOf, plan, undo, undoable } from "../../src/convert.ts";
import { type Environment, isRepriseError } from "../../src/index.ts";
import { openFinder, openIndex, search } from "../../src/search.ts";
import { reportUsage, sessionUsage } from "../../src/usage.ts";
import { putClaudeSession, putFixture } from "./agents-home.ts";
import { type Machine, machine } from "./program.ts";

/* Every call answers what the command answers, on the same home. */

function envOf({ home, cwd, env }: Machine): Environment {
  return { variables: env, platform: process.platform, home, cwd };
}

const first = "5a3e1c0f-7b64-4d0e-9c55-0000000000aa";

/** A machine with sessions of two agents. */
function twoAgents(): { readonly here: Machine; readonly env: Environment } {
  const here = machine();
  putFixture(here, "claude-code/2.1.325/tools");
  putFixture(here, "codex/0.166.0/resumed");
  putClaudeSession(here, { id: first }, [
    { user: "Do herons fly?", says: "They do, slowly." },
    { user: "And storks?", says: "In winter, to the south." },
  ]);
  return { here, env: envOf(here) };
}

async function codeOf(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return isRepriseError(error) ? error.code : String(error);
}

describe("reprise/agents", () => {
  test("listSessions lists what `reprise list` lists, in its order", async () => {
    const { here, env } = twoAgents();
    const told = here.json("list") as { total: number; sessions: { ref: string }[] };
    const { sessions, total } = await listSessions({ env });
    expect(total).toBe(told.total);
    expect(sessions.map(referenceTo)).toEqual(told.sessions.map(({ ref }) => ref));
    const codex = await listSessions({ env, agent: "codex", limit: 1 });
    expect(codex.sessions).toMatchObject([{ head: { agent: "codex" } }]);
    expect(codex.total).toBe(told.sessions.filter(({ ref }) => ref.startsWith("codex:")).length);
    expect((await listSessions({ env, here: here.cwd })).sessions.map(referenceTo)).toEqual([
      `claude-code:${first}`,
    ]);
    expect(await codeOf(listSessions({ env, agent: "nobody" }))).toBe("usage");
  });

  test("findSession finds what a reference names, and readHead its head as it is now", async () => {
    const { here, env } = twoAgents();
    const found = await findSession("herons fly@3", { env });
    expect(found).toMatchObject({ event: "3", head: { session: first, agent: "claude-code" } });
    expect(await findSession("@last", { env })).toMatchObject({ head: { session: first } });
    expect(await codeOf(findSession("no such words", { env }))).toBe("not_found");
    expect(here.run("rename", `claude-code:${first}`, "About birds").status).toBe(0);
    expect(await readHead(found.ref, { env })).toMatchObject({ title: "About birds" });
    const gone = { ...found.ref, path: join(here.home, "nothing.jsonl") };
    expect(await readHead(gone, { env })).toBeUndefined();
  });

  test("readSession reads the events that `reprise show` shows, and counts damage", async () => {
    const { here, env } = twoAgents();
    const session = await findSession(first, { env });
    const told = here.json("show", first) as { events: { number: string }[] };
    const all = readSession(session);
    const numbers: string[] = [];
    for await (const { number } of all.events) numbers.push(number);
    expect(numbers).toEqual(told.events.map(({ number }) => number));
    expect(all.tally).toMatchObject({ events: numbers.length, damaged: 0 });
    const upTo: string[] = [];
    for await (const { number } of readSession(session, { upTo: numbers[1]! }).events)
      upTo.push(number);
    expect(upTo).toEqual(numbers.slice(0, 2));
    const { path } = session.ref;
    writeFileSync(path, `${readFileSync(path, "utf8")}{"type":"assis`);
    const damaged = readSession(session);
    for await (const _event of damaged.events);
    expect(damaged.tally.damaged).toBe(1);
    const gone = { ...session, ref: { ...session.ref, path: join(here.home, "gone.jsonl") } };
    expect(await codeOf(readSession(gone).events.next())).toBe("not_found");
  });

  test("registerUserAgents reads the same settings as the command, and reports what is wrong", () => {
    const { here, env } = twoAgents();
    here.run("list");
    const notes: string[] = [];
    writeFileSync(join(here.home, ".reprise", "settings.json"), '{"agents":{"codex":"/x.mjs"}}');
    registerUserAgents(env, (note) => notes.push(note));
    expect(notes).toEqual([expect.stringContaining("there is an agent of this name")]);
  });
});

describe("reprise/convert", () => {
  test("plan reports what `--dry-run` reports, and writes nothing", async () => {
    const { here, env } = twoAgents();
    const told = here.json("resume", first, "--in", "codex", "--dry-run");
    const { damage, ...report } = await plan(first, { env, to: "codex" });
    expect(damage).toBeUndefined();
    expect({ ...report, written: false }).toEqual(told);
    expect((await listSessions({ env, agent: "codex" })).total).toBe(1);
    expect(await codeOf(plan(first, { env, to: "nobody" }))).toBe("usage");
    expect(await codeOf(plan(first, { env, to: "codex", cwd: "/no/such/folder" }))).toBe("usage");
  });

  test("convert writes a session that its target reads, and undo takes it back", async () => {
    const { here, env } = twoAgents();
    const session = await findSession(first, { env });
    const made = await convert(session, {
      env,
      to: "codex",
      title: "Birds",
      mappings: [mappingOf("/old", here.cwd)],
    });
    expect(made).toMatchObject({
      messages: 4,
      unexpected: [],
      session: { head: { title: "Birds" } },
    });
    expect(made.resume?.argv).toContain(made.session.head.session);
    expect(here.run("show", referenceTo(made.session)).stdout).toContain("They do, slowly.");
    expect(await undoable({ env })).toMatchObject([{ id: made.entry, kind: "convert" }]);
    const { undone, did } = await undo(made.entry, { env });
    expect([undone.id, did]).toEqual([made.entry, `removed ${referenceTo(made.session)}`]);
    expect(here.run("show", referenceTo(made.session)).status).toBe(3);
    expect(await codeOf(undo(undefined, { env }))).toBe("nothing_to_undo");
  });

  test("what a call did the command undoes, and the other way round", async () => {
    const { here, env } = twoAgents();
    await convert(first, { env, to: "pi" });
    expect(here.run("undo").status).toBe(0);
    const { entry } = here.json("fork", first, "--in", "gemini-cli") as { entry: number };
    expect((await undo(undefined, { env })).undone.id).toBe(entry);
  });

  test("a conversion that would lose something is refused where that is asked for", async () => {
    const { env } = twoAgents();
    const call = convert(first, { env, to: "codex", strict: true, budgetTokens: 1 });
    expect(await codeOf(call)).toBe("conflict");
    expect(await undoable({ env })).toEqual([]);
  });
});

describe("reprise/search", () => {
  test("search finds what `reprise search` finds", async () => {
    const { here, env } = twoAgents();
    const told = here.json("search", "herons") as { sessions: { ref: string }[] };
    const found = await search("herons", { env });
    expect(told.sessions).toHaveLength(1);
    expect(found.sessions.map(({ ref }) => `${ref.agent}:${ref.session}`)).toEqual(
      told.sessions.map(({ ref }) => ref),
    );
    expect(found.sessions[0]?.events[0]?.snippet?.text).toContain("herons");
    expect((await search("agent:codex herons", { env })).sessions).toEqual([]);
    expect(await codeOf(search("agent:nobody x", { env }))).toBe("usage");
  });

  test("a finder answers often: words, texts as they are, patterns", async () => {
    const { env } = twoAgents();
    const finder = await openFinder({ env });
    try {
      for (const request of [
        { text: "storks" },
        { text: "And storks?", mode: "substring" },
        { text: "stor[k]s", mode: "regex" },
      ] as const)
        expect((await finder.search(request)).totalSessions, request.text).toBe(1);
      expect(await codeOf(finder.search({ text: "(", mode: "regex" }))).toBe("usage");
    } finally {
      finder.close();
    }
  });

  test("the index is brought up to date, and tells how it stands as the command does", async () => {
    const { here, env } = twoAgents();
    const index = openIndex({ env });
    try {
      expect((await index.status()).pending).toBeGreaterThan(1);
      const after = await index.update();
      expect(after).toMatchObject({ pending: 0 });
      expect(after.indexed).toBeGreaterThan(1);
      const { sessions, events, path } = here.json("index", "--status");
      expect({ sessions, events, path }).toEqual({
        sessions: after.sessions,
        events: after.events,
        path: after.path,
      });
    } finally {
      index.close();
    }
    const again = openIndex({ env, rebuild: true });
    expect((await again.status()).sessions).toBe(0);
    again.close();
  });
});

describe("reprise/usage", () => {
  test("reportUsage counts what `reprise stats` counts", async () => {
    const { here, env } = twoAgents();
    const told = here.json("stats", "--by", "model", "--timezone", "UTC");
    const report = await reportUsage({ env, by: "model", timezone: "UTC" });
    expect(report.groups).toEqual(told["groups"]);
    const codex = await reportUsage({ env, by: "agent", agent: "codex", since: "2026-11-15" });
    expect(codex.groups).toMatchObject([{ key: "codex", tokens: { input: 52560 } }]);
    const none = await reportUsage({ env, until: new Date("2020-01-01") });
    expect(none.totals.messages).toBe(0);
    expect(await codeOf(reportUsage({ env, timezone: "Nowhere" }))).toBe("usage");
    expect(await codeOf(reportUsage({ env, since: "never" }))).toBe("usage");
  });

  test("sessionUsage counts one session and what fills its context, as `--session` does", async () => {
    const { here, env } = twoAgents();
    const { sessions } = await listSessions({ env, agent: "codex" });
    const usage = await sessionUsage(sessions[0]!, { env });
    const told = here.json("stats", "--session", referenceTo(sessions[0]!));
    expect(JSON.parse(JSON.stringify(usage))).toEqual(told);
    expect(usage.context.estimatedTokens).toBeGreaterThan(0);
    expect(await codeOf(sessionUsage("no such session", { env }))).toBe("not_found");
  });
});
