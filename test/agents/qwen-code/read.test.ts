import { appendFileSync, copyFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { SessionRef } from "../../../src/agents/contract.ts";
import { qwenCode } from "../../../src/agents/qwen-code/index.ts";
import { usage } from "../../../src/agents/qwen-code/usage.ts";
import { tokenKinds, UsageTable } from "../../../src/model/usage-table.ts";
import { temporaryFolder } from "../../temporary-folder.mjs";
import { envOf, readAll, refsIn, scenesOf } from "../kit/scenes.ts";

const env = envOf(temporaryFolder());
const leaf = "aaaaaaaa-0000-4000-8000-000000000000";

/** A copy of a scenario's session that may grow. */
function copyOf(scenario: string): string {
  const { home } = scenesOf("qwen-code").find(({ name }) => name.endsWith(scenario))!;
  const path = join(temporaryFolder(), "44444444-4444-4444-8444-444444444444.jsonl");
  copyFileSync([...refsIn(qwenCode, envOf(home)).values()][0]!.path, path);
  return path;
}

function refOf(path: string): SessionRef {
  const { size: sizeBytes, mtimeMs: modifiedMs } = statSync(path);
  return { agent: "qwen-code", session: "s", path, sizeBytes, modifiedMs };
}

/** Adds a prompt that follows another record. */
function append(path: string, text: string, parentUuid: string, more: object = {}): void {
  const message = { role: "user", parts: [{ text }] };
  const record = { uuid: leaf, parentUuid, sessionId: "s", type: "user", message, ...more };
  appendFileSync(path, `${JSON.stringify(record)}\n`);
}

test("what is added later is read from the cursor on; another branch and a summary begin anew", async () => {
  const path = copyOf("handwritten/rewound");
  const first = await readAll(qwenCode, refOf(path));
  const end = first.events.at(-1)!.uuid!;
  append(path, "More", end);
  const more = await readAll(qwenCode, refOf(path), { from: first.cursor });
  expect(more.events.map(({ body }) => body)).toEqual([{ type: "user", content: "More" }]);
  expect(more.restarted).toBe(false);
  append(path, "Elsewhere", end, { uuid: "bbbbbbbb-0000-4000-8000-000000000000" });
  const anew = await readAll(qwenCode, refOf(path), { from: more.cursor });
  expect(anew.restarted).toBe(true);
  expect(anew.events.map(({ body }) => ("content" in body ? body.content : ""))).toEqual([
    "Keep this",
    "Kept.",
    "Take another way",
    "Another way.",
    "Elsewhere",
  ]);
  const compressedHistory = [{ role: "user", parts: [{ text: "All of it." }] }];
  append(path, "", "bbbbbbbb-0000-4000-8000-000000000000", {
    uuid: "cccccccc-0000-4000-8000-000000000000",
    type: "system",
    subtype: "chat_compression",
    systemPayload: { compressedHistory },
  });
  const short = await readAll(qwenCode, refOf(path), { from: anew.cursor });
  expect(short.restarted).toBe(true);
  expect(short.events.map(({ body }) => body)).toEqual([
    { type: "compaction", summary: "All of it." },
  ]);
});

test("parents that lead in a circle, forwards or nowhere end the path and hang nothing", async () => {
  const path = copyOf("handwritten/rewound");
  append(path, "Circle", leaf);
  append(path, "Forward", "dddddddd-0000-4000-8000-000000000000", { uuid: "e" });
  append(path, "Last", "e", { uuid: "dddddddd-0000-4000-8000-000000000000" });
  const { events } = await readAll(qwenCode, refOf(path));
  expect(events.map(({ body }) => ("content" in body ? body.content : ""))).toEqual([
    "Forward",
    "Last",
  ]);
});

test("a head tells title, times, folder, branch, model, version and how the session was left", () => {
  const path = copyOf("handwritten/rich");
  expect(qwenCode.head(refOf(path), env)).toEqual({
    agent: "qwen-code",
    session: "11111111-1111-4111-8111-111111111111",
    path,
    sizeBytes: statSync(path).size,
    createdAt: "2026-11-10T08:00:01.000Z",
    updatedAt: "2026-11-10T08:00:13.000Z",
    title: "Words of a file",
    titled: true,
    cwd: "/home/dev/acme-api",
    cwdExists: expect.any(Boolean),
    project: { name: "acme-api", path: "/home/dev/acme-api" },
    git: { branch: "main" },
    model: "gpt-4o",
    version: "0.24.4",
    state: "waiting",
  });
});

test("a subagent's session names the one it worked for, which is what is resumed", () => {
  const { home } = scenesOf("qwen-code").find(({ name }) => name.endsWith("/subagent"))!;
  const refs = [...refsIn(qwenCode, envOf(home)).values()];
  const ref = refs.find(({ session }) => session.startsWith("agent-"))!;
  const head = qwenCode.head(ref, env)!;
  const parent = refs.find(({ session }) => session !== ref.session)!.session;
  expect(head.relation).toEqual({ kind: "subagent", session: parent });
  expect(qwenCode.opening?.(ref, env)?.subagent).toBe(true);
  expect(qwenCode.resume!(ref, head)?.argv).toEqual(["qwen", "--resume", parent]);
});

test("tokens of every answer are counted once, the cache apart from the input", () => {
  const table = new UsageTable();
  const lines = usage.lines!(table, { session: "s" });
  const record = (more: object): string =>
    `${JSON.stringify({ type: "assistant", uuid: "u", timestamp: "2026-11-10T08:00:01.000Z", ...more })}\n`;
  const usageMetadata = {
    promptTokenCount: 100,
    cachedContentTokenCount: 40,
    candidatesTokenCount: 20,
    thoughtsTokenCount: 5,
    totalTokenCount: 125,
  };
  lines.take(Buffer.from(record({ usageMetadata })));
  lines.take(Buffer.from(record({ usageMetadata: { promptTokenCount: -1 } })));
  expect(lines.absurd).toBe(1);
  expect(table.length).toBe(1);
  const counted = tokenKinds.map((kind, index) => [kind, table.tokens[index]]);
  expect(Object.fromEntries(counted)).toMatchObject({
    input: 60,
    output: 25,
    cacheRead: 40,
    reasoning: 5,
  });
});
