import { describe, expect, test } from "vitest";
import type { Source } from "../../src/agents/source.ts";
import type { Environment } from "../../src/base/env.ts";
import { isRepriseError } from "../../src/base/errors.ts";
import type { Converted } from "../../src/convert/convert.ts";
import { richSession } from "./rich.ts";
import { saidIn } from "./said.ts";
import { bring, fixtureSessions, newUser, sourceOf, targets } from "./stores.ts";

const writers = await Promise.all(targets.map(({ writer }) => writer!()));
/** Targets that keep calls as calls. */
const structured = targets.filter((_, at) => writers[at]!.holds.tools).map(({ name }) => name);
const images = /^user \[image/;

/** The rich session in the agent's own words: its tools are those of Claude Code. */
async function richIn(agent: string, env: Environment): Promise<Source> {
  const spoken = sourceOf(await bring(await richSession(env), "claude-code", env));
  return agent === "claude-code" ? spoken : sourceOf(await bring(spoken, agent, env));
}

describe.each(structured)("a rich session that began in %s", (first) => {
  test.each(structured)("comes back from %s as it was", async (second) => {
    const env = newUser();
    const begun = await richIn(first, env);
    const there = await bring(begun, second, env);
    const back = await bring(sourceOf(there), first, env);
    expect([...there.unexpected, ...back.unexpected]).toEqual([]);
    expect(await saidIn(sourceOf(back))).toEqual(await saidIn(begun));
  });

  test("is told word for word in a history without tools", async () => {
    const env = newUser();
    const begun = await richIn(first, env);
    const there = await bring(begun, "aider", env);
    expect(there.unexpected).toEqual([]);
    const history = (await saidIn(sourceOf(there))).join("\n").replaceAll(/[ \r\t]/g, "");
    for (const line of (await saidIn(begun)).filter((one) => !images.test(one))) {
      const said = line.replace(/^(user|assistant|result \S+|call \S+ \S+) /, "");
      for (const part of line.startsWith("call ") ? [] : said.split(/[\n\u2028]/))
        expect(history).toContain(part.replaceAll(/[ \r\t]/g, ""));
    }
  });
});

describe("every recorded session", () => {
  const sessions = fixtureSessions();
  const users = new Map<string, Environment>(targets.map(({ name }) => [name, newUser()]));

  test("there are some of every agent", () => {
    expect(new Set(sessions.map(({ source }) => source.agent.name)).size).toBeGreaterThan(5);
    expect(sessions.length).toBeGreaterThan(60);
  });

  test.each(targets.map(({ name }) => name))(
    "goes into %s without unexpected losses",
    async (to) => {
      const env = users.get(to)!;
      const wrong: string[] = [];
      let converted = 0;
      const from = new Set<string>();
      for (const { name, source, env: own } of sessions) {
        const head = source.agent.head(source.ref, own);
        // Notes, states and memories are handed over, not converted.
        if (head === undefined || head.kind !== undefined) continue;
        let done: Converted;
        try {
          done = await bring(source, to, env, { head });
        } catch (error) {
          // Some recordings hold no conversation; that is said, not written.
          if (!isRepriseError(error, "bad_input")) wrong.push(`${name}: ${String(error)}`);
          continue;
        }
        converted += 1;
        from.add(source.agent.name);
        for (const { field, reason } of done.unexpected) wrong.push(`${name}: ${field}: ${reason}`);
      }
      expect(wrong).toEqual([]);
      expect(converted).toBeGreaterThan(60);
      expect([...from]).toEqual(
        expect.arrayContaining(["copilot-cli", "cursor", "amp", "qwen-code", "langgraph"]),
      );
    },
  );
});
