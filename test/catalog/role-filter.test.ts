import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Environment } from "../../src/base/env.ts";
import { claudeFile, claudeLine, id } from "./claude.ts";
import { bothWays, emptyHome, find } from "./home.ts";

test("role:user finds what people said, not what an agent asked its subagent", async () => {
  const env = emptyHome();
  const lines = [
    claudeLine(env, 1, 0, "find the papaya"),
    claudeLine(env, 1, 1, "look for a papaya in src", { isSidechain: true, parentUuid: null }),
  ];
  claudeFile(
    env,
    1,
    lines.map((line) => `${line}\n`),
  );
  const [session] = (await find(env, "papaya")).sessions;
  expect(session?.prompts).toBe(1);
  const at = (number: number): string => `claude-code:${id(1)}@${number}`;
  expect(
    await bothWays(env, ["papaya role:user", "papaya role:delegated", "papaya -role:user"]),
  ).toEqual([[at(1)], [at(2)], [at(2)]]);
});

test("what a subagent's own session was asked is not what people said", async () => {
  const env = emptyHome();
  const parent = codexSession(env, 1, { text: "find the guava" });
  const child = codexSession(env, 2, {
    text: "look for a guava in src",
    meta: { parent_thread_id: parent },
  });
  expect(await bothWays(env, ["guava role:user", "guava role:delegated"])).toEqual([
    [`codex:${parent}@2`],
    [`codex:${child}@2`],
  ]);
});

/** A session of Codex with one prompt; returns its id. */
function codexSession(
  env: Environment,
  number: number,
  { text, meta = {} }: { readonly text: string; readonly meta?: object },
): string {
  const folder = join(env.home, ".codex", "sessions", "2026", "11", "15");
  mkdirSync(folder, { recursive: true });
  const session = `01900000-0000-7000-8000-00000000000${number}`;
  const timestamp = `2026-11-15T10:00:0${number}.000Z`;
  const content = [{ type: "input_text", text }];
  const records = [
    { type: "session_meta", payload: { id: session, timestamp, cwd: env.cwd, ...meta } },
    { type: "response_item", payload: { type: "message", role: "user", content } },
    { type: "event_msg", payload: { type: "user_message", message: text } },
  ];
  const lines = records.map((record) => `${JSON.stringify({ timestamp, ...record })}\n`);
  writeFileSync(
    join(folder, `rollout-2026-11-15T10-00-0${number}-${session}.jsonl`),
    lines.join(""),
  );
  return session;
}
