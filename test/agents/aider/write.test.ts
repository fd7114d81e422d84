import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { aider } from "../../../src/agents/aider/index.ts";
import type { Environment } from "../../../src/base/env.ts";
import type { OutgoingMessage } from "../../../src/model/outgoing.ts";
import { newUser } from "../../convert/stores.ts";
import { aboutFor, describeWriter, given } from "../kit/writes.ts";

const seed = 20_261_115;
const history = ".aider.chat.history.md";
const at = "2026-11-14T09:00:00.000Z";

describeWriter(aider, {
  title: false,
  branch: false,
  model: false,
  shared: /\/opencode\.db|\/\.aider\.chat\.history\.md$/,
});

const user = (text: string): OutgoingMessage => ({
  role: "user",
  content: [{ type: "text", text }],
  at,
});
const answer = (text: string): OutgoingMessage => ({
  role: "assistant",
  content: [{ type: "text", text }],
  at,
});

async function write(
  env: Environment,
  messages: readonly OutgoingMessage[] = [user("a"), answer("b")],
) {
  return (await aider.writer!()).write(given(messages), { env, about: aboutFor(env) });
}

/** The documented rules of `--restore-chat-history`, line by line. */
function restored(text: string): readonly (readonly [role: string, text: string])[] {
  const messages: [string, string][] = [];
  let role = "";
  let held = "";
  const change = (next: string): void => {
    if (next === role) return;
    if (held.trim() !== "" && role !== "tool") messages.push([role, held]);
    [role, held] = [next, ""];
  };
  const asRead = text.replaceAll(/\r\n?/g, "\n");
  for (const line of asRead.split(/(?<=[\n\v\f\u001c-\u001e\u0085\u2028\u2029])/)) {
    if (line.startsWith("# ")) continue;
    if (line.startsWith("> ")) change("tool");
    else if (line.startsWith("#### ")) change("user");
    else change("assistant");
    held += role === "user" ? line.slice(5) : line;
  }
  change("");
  return messages;
}

/** What remains equal: the space before a marked line and blanks at the ends of lines do not count. */
function plain(text: string): string {
  return text
    .split(/\r\n|[\n\r\v\f\u001c-\u001e\u0085\u2028\u2029]/)
    .map((line) => line.trimEnd().replace(/^ (?=(?:#|>|####)(?: |$))/, ""))
    .join("\n")
    .trim();
}

describe("a history written for Aider", () => {
  test("restores what was said, by the program's own rules", async () => {
    const env = newUser();
    const said = "Sure.\n# Title\n> quote\n#### deep\n```py\n# comment\nx = 1\n```\n#no mark";
    await write(env, [
      user("one\n\n# two\u2028three"),
      answer(said),
      user("next"),
      user("and"),
      answer("done"),
    ]);
    const messages = restored(readFileSync(join(env.cwd, history), "utf8"));
    expect(messages.map(([role, text]) => [role, plain(text)])).toEqual([
      ["user", "one\n\n# two\nthree"],
      ["assistant", plain(said)],
      ["user", "next"],
      ["user", "and"],
      ["assistant", "done"],
    ]);
  });

  test(`restores any texts at all (seed ${seed})`, async () => {
    const env = newUser();
    const path = join(env.cwd, history);
    const mark = fc.constantFrom(
      "# ",
      "> ",
      "#### ",
      "\n",
      "\r",
      "\u2028",
      "\f",
      "\u0085",
      " ",
      "a",
      "`",
      "é",
    );
    const text = fc
      .array(fc.oneof(mark, fc.string({ maxLength: 3 })), { minLength: 1, maxLength: 12 })
      .map((parts) => parts.join(""))
      .filter((one) => plain(one) !== "");
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 4 }),
        async (turns) => {
          writeFileSync(path, "");
          await write(
            env,
            turns.flatMap(([asked, said]) => [user(asked), answer(said)]),
          );
          expect(
            restored(readFileSync(path, "utf8")).map(([role, one]) => [role, plain(one)]),
          ).toEqual(
            turns.flatMap(([asked, said]) => [
              ["user", plain(asked)],
              ["assistant", plain(said)],
            ]),
          );
        },
      ),
      { seed, numRuns: 150 },
    );
  });

  test("is appended in the root of the repository, behind what was there", async () => {
    const env = newUser();
    mkdirSync(join(env.cwd, ".git"));
    mkdirSync(join(env.cwd, "deep"));
    writeFileSync(
      join(env.cwd, history),
      "\n# aider chat started at 2026-01-01 00:00:00\n\n#### old  \n\nanswer",
    );
    const before = readFileSync(join(env.cwd, history), "utf8");
    const { ref } = await write({ ...env, cwd: join(env.cwd, "deep") });
    expect(ref.path).toBe(join(env.cwd, history));
    expect(readFileSync(ref.path, "utf8").startsWith(`${before}\n\n# aider chat started at `)).toBe(
      true,
    );
    expect([...aider.locate(env)].length).toBe(2);
  });

  test("goes to the file the user chose", async () => {
    const env = newUser();
    const chosen = { ...env, variables: { AIDER_CHAT_HISTORY_FILE: "mine.md" } };
    expect((await write(chosen)).ref.path).toBe(join(env.cwd, "mine.md"));
    expect(existsSync(join(env.cwd, history))).toBe(false);
  });

  test("is cut off again exactly, and stays where the program went on", async () => {
    const env = newUser();
    const path = join(env.cwd, history);
    writeFileSync(path, "before, without a newline");
    const written = await write(env);
    await (await aider.writer!()).takeBack(written, env);
    expect(readFileSync(path, "utf8")).toBe("before, without a newline");
    const again = await write(env);
    appendFileSync(path, "\n#### more  \n");
    const now = readFileSync(path, "utf8");
    await expect((await aider.writer!()).takeBack(again, env)).rejects.toMatchObject({
      code: "conflict",
    });
    expect(readFileSync(path, "utf8")).toBe(now);
  });

  test("says where it comes from in a line no model is shown", async () => {
    const env = newUser();
    const { ref } = await write(env);
    const text = readFileSync(ref.path, "utf8");
    expect(text).toContain("> The title: continued from elsewhere:s-1  \n");
    expect(restored(text).flat().join()).not.toContain("elsewhere");
  });
});
