import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { codex } from "../../../src/agents/codex/index.ts";
import type { Environment } from "../../../src/base/env.ts";
import { newUser } from "../../convert/stores.ts";
import { aboutFor, describeWriter, given } from "../kit/writes.ts";

const writer = await codex.writer!();

describeWriter(codex, {
  title: true,
  branch: true,
  model: false,
  shared: /\/opencode\.db|\/session_index\.jsonl$/,
});

describe("the name of a thread written for Codex", () => {
  const index = (env: Environment): string => join(env.home, ".codex", "session_index.jsonl");
  const write = (env: Environment) => writer.write(given(), { env, about: aboutFor(env) });

  test("is one line at the end of the index, behind what was there", async () => {
    const env = newUser();
    const first = await write(env);
    // A line that lost its newline must not be glued to ours.
    writeFileSync(index(env), readFileSync(index(env), "utf8").trimEnd());
    const { ref } = await write(env);
    const lines = readFileSync(index(env), "utf8").trimEnd().split("\n");
    expect(lines.map((line) => (JSON.parse(line) as { id: string }).id)).toEqual([
      first.ref.session,
      ref.session,
    ]);
    expect(JSON.parse(lines[1]!)).toMatchObject({ id: ref.session, thread_name: "The title" });
  });

  test("is cut off again while it is the last", async () => {
    const env = newUser();
    await writer.takeBack(await write(env), env);
    expect(existsSync(index(env))).toBe(false);
    await write(env);
    const before = readFileSync(index(env), "utf8");
    await writer.takeBack(await write(env), env);
    expect(readFileSync(index(env), "utf8")).toBe(before);
  });

  test("stays where the program wrote behind it, and the thread goes", async () => {
    const env = newUser();
    const written = await write(env);
    appendFileSync(index(env), '{"id":"other","thread_name":"x"}\n');
    const before = readFileSync(index(env), "utf8");
    await writer.takeBack(written, env);
    expect(readFileSync(index(env), "utf8")).toBe(before);
    expect(existsSync(written.ref.path)).toBe(false);
  });
});
