import { spawnSync } from "node:child_process";
import { appendFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Agent, Written } from "../../../src/agents/contract.ts";
import type { Environment } from "../../../src/base/env.ts";
import { atomsOf } from "../../../src/convert/atoms.ts";
import type { OutgoingAbout, OutgoingMessage } from "../../../src/model/outgoing.ts";
import { messagesOf } from "../../convert/said.ts";
import { newUser } from "../../convert/stores.ts";

const at = (second: number): string => `2026-11-14T09:00:${String(second).padStart(2, "0")}.000Z`;

/** A conversation as every writer is given one. */
export const conversation: readonly OutgoingMessage[] = [
  { role: "summary", text: "Before: a plan.", at: at(0) },
  { role: "user", content: [{ type: "text", text: "Look, then fix it 😀" }], at: at(1) },
  {
    role: "assistant",
    content: [
      { type: "text", text: "Looking." },
      { type: "tool_use", call: "c1", name: "T", input: { a: 1 } },
      { type: "tool_use", call: "c2", name: "U", input: { deep: { b: [null] } } },
    ],
    at: at(2),
    model: "model-1",
    usage: { input: 10, output: 5, cacheRead: 3, cacheWrite: 1 },
  },
  {
    role: "results",
    results: [
      { call: "c1", name: "T", content: [{ type: "text", text: "fine" }], isError: false },
      { call: "c2", name: "U", content: [{ type: "text", text: "broken" }], isError: true },
    ],
    at: at(3),
  },
  { role: "assistant", content: [{ type: "text", text: "Done." }], at: at(4), model: "model-1" },
];

/** What a conversation is about, for a user's project. */
export function aboutFor(env: Environment): OutgoingAbout {
  return {
    cwd: env.cwd,
    title: "The title",
    git: { branch: "feat/x", commit: "0123456789012345678901234567890123456789" },
    model: "model-1",
    createdAt: at(0),
    updatedAt: at(4),
    from: { agent: "elsewhere", session: "s-1" },
  };
}

/** Messages one by one; with `failAfter` the source fails after so many. */
export async function* given(
  messages: readonly OutgoingMessage[] = conversation,
  failAfter = Number.POSITIVE_INFINITY,
): AsyncGenerator<OutgoingMessage> {
  for (const [index, message] of messages.entries()) {
    if (index >= failAfter) throw new Error("the source failed");
    yield message;
  }
}

/** Every file below a folder with its size and time. */
export function filesBelow(folder: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const stat = statSync(path);
    found.set(path, stat.isFile() ? `${stat.size} ${stat.mtimeMs}` : "folder");
  }
  return found;
}

/** What an agent's head says of what was written; absent where its format has no place for it. */
export interface WriterPromises {
  readonly title: boolean;
  readonly branch: boolean;
  readonly model: boolean;
  /** Paths that may change besides the files told: databases, shared files, our own journal. */
  readonly shared: RegExp;
  /** Changes what was written, as the program would when it goes on. */
  touch?(written: Written): void;
}

/** Tests what every writer promises: found, complete, nothing else changed, taken back exactly. */
export function describeWriter(agent: Agent, promises: WriterPromises): void {
  const loaded = agent.writer!();
  const { touch = ({ ref }) => appendFileSync(ref.path, "\n") } = promises;
  const added = (before: ReadonlyMap<string, string>, env: Environment): readonly string[] =>
    [...filesBelow(env.home)]
      .filter(([path, state]) => before.get(path) !== state && !promises.shared.test(path))
      .map(([path]) => path);
  const write = async (env: Environment, messages = given()): Promise<Written> =>
    (await loaded).write(messages, { env, about: aboutFor(env) });

  describe(`a session written for ${agent.title}`, () => {
    test("is found, with what is known about it", async () => {
      const env = newUser();
      const { ref } = await write(env);
      const found = [...agent.locate(env, { projects: [env.cwd] })].find(
        ({ path, part }) => path === ref.path && part === ref.part,
      );
      expect(found).toBeDefined();
      const head = agent.head(found!, env);
      expect(head).toMatchObject({ agent: agent.name, cwd: env.cwd });
      if (promises.title) expect(head).toMatchObject({ title: "The title", titled: true });
      if (promises.branch) expect(head?.git?.branch).toBe("feat/x");
      if (promises.model) expect(head?.model).toBe("model-1");
    });

    test("replays the conversation it was given", async () => {
      const env = newUser();
      const { ref } = await write(env);
      const replayed = await messagesOf({ agent, ref });
      const writer = await loaded;
      const atoms = (messages: readonly OutgoingMessage[]) =>
        messages.flatMap((message) => [...atomsOf(message, writer.unmarked)]);
      if (writer.holds.tools) expect(atoms(replayed)).toEqual(atoms(conversation));
      const results = replayed.find(({ role }) => role === "results");
      if (results?.role === "results")
        expect(results.results.map(({ isError }) => isError).at(-1)).toBe(agent.name !== "codex");
    });

    test("changes nothing else", async () => {
      const env = newUser();
      await write(env);
      const before = filesBelow(env.home);
      const { files } = await write(env);
      const isFolder = (path: string): boolean => statSync(path).isDirectory();
      expect(added(before, env).filter((path) => !isFolder(path))).toEqual(
        files.map(({ path }) => path),
      );
    });

    test("is taken back without a trace", async () => {
      const env = newUser();
      const before = filesBelow(env.home);
      const written = await write(env);
      await (await loaded).takeBack(JSON.parse(JSON.stringify(written)) as Written, env);
      const left = filesBelow(env.home);
      expect(
        [...left.keys()].filter((path) => !before.has(path) && !promises.shared.test(path)),
      ).toEqual([]);
      expect(
        [...agent.locate(env, { projects: [env.cwd] })].some(
          ({ session }) => session === written.ref.session,
        ),
      ).toBe(false);
    });

    test("stays where the program has gone on with it", async () => {
      const env = newUser();
      const written = await write(env);
      touch(written);
      const before = filesBelow(env.home);
      await expect((await loaded).takeBack(written, env)).rejects.toMatchObject({
        code: "conflict",
      });
      expect(added(before, env)).toEqual([]);
    });

    test("leaves nothing behind where the source fails midway", async () => {
      const env = newUser();
      const before = filesBelow(env.home);
      await expect(write(env, given(conversation, 3))).rejects.toThrow("the source failed");
      expect(added(before, env)).toEqual([]);
    });

    test("leaves nothing behind where the disk is full midway", () => {
      const env = newUser();
      const before = filesBelow(env.home);
      // `ulimit -f` counts blocks of 512 bytes in sh.
      const child = new URL("./children/write-much.mjs", import.meta.url).pathname;
      const limited = `ulimit -f 4000 && exec "$0" "$@"`;
      const { stdout, stderr } = spawnSync(
        "sh",
        ["-c", limited, process.execPath, child, agent.name, env.home, env.cwd],
        { encoding: "utf8" },
      );
      expect(stderr).toBe("");
      expect(JSON.parse(stdout)).toMatchObject({ failed: true });
      expect(added(before, env)).toEqual([]);
    });
  });
}
