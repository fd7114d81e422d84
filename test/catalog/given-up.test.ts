import { expect, test } from "vitest";
import { claudeSession } from "./claude.ts";
import { emptyHome, find, options } from "./home.ts";

test("a session whose reading fails is named once and left out until it changes", async () => {
  const env = emptyHome();
  claudeSession(env, 1, ["the kumquat topic"]);
  const { agent: load } = options(env);
  let tries = 0;
  const agent: typeof load = async (name) => {
    const found = await load(name);
    if (found === undefined || name !== "claude-code") return found;
    return {
      ...found,
      // biome-ignore lint/correctness/useYield: it fails before it gives anything.
      async *read() {
        tries += 1;
        throw new RangeError("Invalid string length");
      },
    };
  };
  const first = await find(env, "kumquat", { agent });
  expect(first.notes.join()).toContain("Invalid string length");
  expect((await find(env, "kumquat", { agent })).notes).toEqual([]);
  expect(tries).toBe(1);
  claudeSession(env, 1, ["the kumquat topic", "went on"]);
  await find(env, "kumquat", { agent });
  expect(tries).toBe(2);
});
