import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { SessionRef } from "../../src/agents/contract.ts";
import type { Environment } from "../../src/base/env.ts";
import { limits } from "../../src/base/limits.ts";
import { SessionManager } from "../../src/store/session-manager.ts";
import { saidIn } from "./said.ts";
import { agentNamed, newUser } from "./stores.ts";

const child = join(import.meta.dirname, "children/read-along.mjs");

interface Answer {
  readonly agrees?: boolean;
  readonly same?: boolean;
  readonly ref?: SessionRef;
  readonly code?: string;
}

function converted(env: Environment, ...args: string[]): Answer {
  const { stdout, stderr } = spawnSync(process.execPath, [child, env.home, env.cwd, ...args], {
    encoding: "utf8",
    env: { PATH: process.env["PATH"], HOME: env.home },
  });
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout) as Answer;
}

/** A session long enough for the thread to go several steps, with all that makes reading on hard. */
async function longSession(env: Environment): Promise<void> {
  const session = SessionManager.create(env.cwd, undefined, { env, sync: "none" });
  const text = 'It says "é 日本 🎉"\n\tand \\ more. '.repeat(700);
  for (let turn = 0; turn * text.length * 3 < 4 * limits.readAlongBytes; turn += 1) {
    const calls = [`call_${turn}_a`, `call_${turn}_b`];
    const message = `m${turn}`;
    await session.appendAll([
      { type: "user", content: `${turn}: ${text}` },
      ...calls.map((call) => ({
        type: "tool_use" as const,
        call,
        name: "bash",
        input: { command: `echo ${call}` },
        message,
      })),
      ...calls.map((call) => ({ type: "tool_result" as const, call, content: `${call} ${text}` })),
      { type: "assistant", content: `Done ${turn}. ${text}`, message: `${message}b` },
    ]);
  }
  await session.close();
}

describe("a long session that is read back while it is written", () => {
  let env: Environment;
  let said: readonly string[];
  beforeAll(async () => {
    env = newUser();
    await longSession(env);
    const agent = agentNamed("reprise");
    said = await saidIn({ agent, ref: [...agent.locate(env)][0]! });
  });

  test.each(["claude-code", "codex", "pi", "gemini-cli"])(
    "is found to be what was meant, for %s, with the sum of the published file",
    async (to) => {
      const { agrees, same, ref } = converted(env, "reprise", to);
      expect({ agrees, same }).toEqual({ agrees: true, same: true });
      expect(await saidIn({ agent: agentNamed(to), ref: ref! })).toEqual(said);
    },
    60_000,
  );

  test("is read back afterwards where the thread gave no answer, and removed where it differs", () => {
    const before = readdirSync(env.home, { recursive: true }).length;
    expect(converted(env, "reprise", "pi", "wrong")).toMatchObject({ code: "damaged" });
    expect(readdirSync(env.home, { recursive: true }).length).toBe(before);
  }, 60_000);
});
