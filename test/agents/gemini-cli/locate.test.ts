import { createHash } from "node:crypto";
import { cpSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { geminiCli } from "../../../src/agents/gemini-cli/index.ts";
import type { Environment } from "../../../src/base/env.ts";
import { temporaryFolder } from "../../temporary-folder.mjs";
import { fixtureRoot, homeOf } from "./fixtures.ts";

let home: string;
beforeEach(() => {
  home = temporaryFolder();
});

const env = (more: Partial<Environment> = {}): Environment => ({
  variables: {},
  platform: "linux",
  home,
  cwd: "/nowhere",
  ...more,
});

const message = (id: string, text: string) =>
  JSON.stringify({ id, timestamp: "2026-01-01T00:00:00.000Z", type: "user", content: text });

function put(path: string, text: string): string {
  const full = join(home, ".gemini", path);
  mkdirSync(join(full, ".."), { recursive: true });
  writeFileSync(full, text);
  return full;
}

test("a home without the program yields nothing", () => {
  expect([...geminiCli.locate(env())]).toEqual([]);
});

test("sessions, saved chats and subagents are found with their sizes", () => {
  const found = (scenario: string) =>
    [...geminiCli.locate(homeOf(scenario))].map(({ session, part, path, sizeBytes }) => {
      expect(sizeBytes).toBe(statSync(path).size);
      return part === undefined ? session : `${session} (${part})`;
    });
  expect(found("0.61.0/subagent")).toEqual([
    "33eb134f-b064-4f7b-8052-daaff06d1702 (subagent)",
    "b53673af",
  ]);
  expect(found("0.61.0/chat-save-share")).toEqual([
    "acme-api-g.checkpoint-decision-one (decision-one)",
    "f78f67ea",
  ]);
  expect(found("0.61.0/resumed")).toEqual(["9402b6c2", "9402b6c2"]);
  expect(found("0.15.4/tools")).toEqual(["3fb3f32e"]);
});

test("GEMINI_CLI_HOME takes the place of the home", () => {
  const other = join(fixtureRoot, "0.61.0/plain");
  const refs = [...geminiCli.locate(env({ variables: { GEMINI_CLI_HOME: other } }))];
  expect(refs.map((ref) => ref.session)).toEqual(["365749a5"]);
});

test.each(["darwin", "win32"] as const)(
  "on %s sessions lie at the same place below the home",
  (platform) => {
    const refs = [...geminiCli.locate({ ...homeOf("0.61.0/plain"), platform })];
    expect(refs.map((ref) => ref.session)).toEqual(["365749a5"]);
  },
);

test("a tag keeps the characters its file name had to encode", () => {
  put("tmp/p/checkpoint-my%20tag%2Fone.json", "[]");
  put("tmp/p/checkpoint-%zz.json", "[]");
  expect([...geminiCli.locate(env())].map((ref) => ref.part)).toEqual(["%zz", "my tag/one"]);
});

test("what does not look like a session is passed over", () => {
  put("tmp/p/chats/notes.jsonl", "{}");
  put("tmp/p/chats/session-2026-01-01T00-00-abc.txt", "{}");
  put("tmp/p/logs.json", "[]");
  mkdirSync(join(home, ".gemini/tmp/p/chats/session-2026-01-01T00-00-dir.jsonl"));
  expect([...geminiCli.locate(env())]).toEqual([]);
});

test("a folder named by a hash is told by projects that are known, and by no others", () => {
  const path = "/home/dev/hidden";
  const hash = createHash("sha256").update(path).digest("hex");
  const file = put(
    `tmp/${hash}/chats/session-2026-01-01T00-00-aaaaaaaa.json`,
    JSON.stringify({
      sessionId: "a",
      projectHash: hash,
      messages: [JSON.parse(message("1", "hi"))],
    }),
  );
  const head = () => geminiCli.head([...geminiCli.locate(env())][0]!, env());
  expect(head()).toMatchObject({ path: file, title: "hi" });
  expect(head()?.cwd).toBeUndefined();
  const [ref] = [...geminiCli.locate(env(), { projects: [path] })];
  expect(geminiCli.head(ref!, env())).toMatchObject({
    cwd: path,
    project: { name: "hidden", path },
  });
});

test("a session the program copied from its hash folder to its slug folder is told once", () => {
  const source = join(fixtureRoot, "0.15.4/tools/.gemini");
  cpSync(source, join(home, ".gemini"), { recursive: true });
  const hash = createHash("sha256").update("/home/dev/acme-api-g").digest("hex");
  cpSync(join(source, "tmp", hash), join(home, ".gemini/tmp/acme"), { recursive: true });
  expect([...geminiCli.locate(env())]).toHaveLength(2);
  put("tmp/acme/.project_root", "/home/dev/acme-api-g\n");
  const refs = [...geminiCli.locate(env())];
  expect(refs.map((ref) => ref.path.includes("/tmp/acme/"))).toEqual([true]);
});
