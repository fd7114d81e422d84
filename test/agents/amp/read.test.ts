import { copyFileSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { amp } from "../../../src/agents/amp/index.ts";
import type { SessionRef } from "../../../src/agents/contract.ts";
import { temporaryFolder } from "../../temporary-folder.mjs";
import { envOf, readAll, refsIn, scenesOf } from "../kit/scenes.ts";

const env = envOf(temporaryFolder());

function sceneRef(scenario: string): SessionRef {
  const { home } = scenesOf("amp").find(({ name }) => name.endsWith(scenario))!;
  return [...refsIn(amp, envOf(home)).values()][0]!;
}

test("the newest summary stands for everything before it, and a command a person ran is theirs", async () => {
  const { events } = await readAll(amp, sceneRef("rich"));
  expect(events.map(({ number, body }) => `${number} ${body.type}`)).toEqual([
    "0 session_start",
    "3 compaction",
    "4 user",
    "5 assistant",
    "6 user",
    "7 user",
    "8 assistant",
  ]);
  expect(events[4]?.body).toEqual({ type: "user", content: "ls\na.txt", ran: true });
});

test("a command that ends with an error code is done; what was cancelled or refused failed", async () => {
  const { events } = await readAll(amp, sceneRef("tools-and-resumed"));
  const results = events.flatMap(({ body }) => (body.type === "tool_result" ? [body] : []));
  expect(results.map(({ isError, content }) => [isError === true, content])).toEqual([
    [false, expect.stringContaining("<content>1: export const port = 8080;</content>")],
    [false, expect.stringContaining("export const port = 9090;")],
    [false, "<output>export const port = 9090;\n</output>\n<exitCode>3</exitCode>"],
    [true, "File not found: file:///home/dev/acme-api/missing.ts"],
  ]);
  const cut = await readAll(amp, sceneRef("exported-interrupted"), { allBranches: true });
  expect(cut.unknown).toEqual({ observer: 1 });
  const failed = cut.events.flatMap(({ body }) => (body.type === "tool_result" ? [body] : []));
  expect(failed.map(({ isError }) => isError)).toEqual([true, true]);
});

test("the program rewrites a thread whole: a changed one is read anew, an unchanged one not", async () => {
  const path = join(temporaryFolder(), "T-1.json");
  copyFileSync(sceneRef("plain").path, path);
  const refOf = (): SessionRef => {
    const { size: sizeBytes, mtimeMs: modifiedMs } = statSync(path);
    return { agent: "amp", session: "T-1", path, sizeBytes, modifiedMs };
  };
  const first = await readAll(amp, refOf());
  const same = await readAll(amp, refOf(), { from: first.cursor });
  expect(same).toMatchObject({ events: [], restarted: false });
  writeFileSync(path, readFileSync(path, "utf8").replace("plain hello", "another hello"));
  const anew = await readAll(amp, refOf(), { from: first.cursor });
  expect(anew.restarted).toBe(true);
  expect(anew.events).toHaveLength(first.events.length);
});

test("a head of a large thread is told by its first and last bytes", () => {
  const thread = JSON.parse(readFileSync(sceneRef("plain").path, "utf8"));
  const [user, assistant] = thread.messages;
  const long = { ...user, content: [{ type: "text", text: "x".repeat(300_000) }] };
  const { messages: _few, ...rest } = thread;
  const path = join(temporaryFolder(), "T-2.json");
  const { v, id, created, ...after } = rest;
  const whole = { v, id, created, messages: [user, long, assistant], ...after, title: "Large" };
  writeFileSync(path, JSON.stringify(whole, undefined, 2));
  const ref = { ...sceneRef("plain"), path, sizeBytes: statSync(path).size };
  expect(amp.head(ref, env)).toMatchObject({
    title: "Large",
    titled: true,
    cwd: "/home/dev/acme-api",
    model: "claude-opus-4-5-20251101",
    version: "0.0.1769314944-g5070a1",
    state: "waiting",
    updatedAt: "2026-11-15T18:41:27.835Z",
  });
});

test("a thread is continued by its id", () => {
  const ref = sceneRef("plain");
  const head = amp.head(ref, env)!;
  expect(amp.resume!(ref, head)?.argv).toEqual(["amp", "threads", "continue", ref.session]);
});
