import { appendFileSync, cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { geminiCli } from "../../../src/agents/gemini-cli/index.ts";
import { temporaryFolder } from "../../temporary-folder.mjs";
import { fixtureRoot, homeOf, refOf } from "./fixtures.ts";

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

const headsOf = (scenario: string) =>
  [...geminiCli.locate(homeOf(scenario))].map((ref) => geminiCli.head(ref, homeOf(scenario)));
const nowhere = { variables: {}, platform: "linux", home: "/nowhere", cwd: "/nowhere" } as const;
const header = { sessionId: "full-id", projectHash: "x", startTime: "2026-01-02T10:00:00.000Z" };
const line = (value: unknown) => `${JSON.stringify(value)}\n`;
const user = (id: string, content: unknown, more = {}) =>
  line({ id, timestamp: "2026-01-02T10:00:01.000Z", type: "user", content, ...more });

function file(text: string, name = "session-2026-01-02T10-00-full-id.jsonl"): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

test("a head tells title, model, tokens, times, state and project", () => {
  const [head] = headsOf("0.61.0/tools");
  expect(head).toEqual({
    agent: "gemini-cli",
    session: "9402b6c2-a413-44b3-8954-32184fc2503d",
    path: expect.stringMatching(/9402b6c2\.jsonl$/),
    sizeBytes: 10868,
    createdAt: "2026-11-15T18:18:24.186Z",
    updatedAt: "2026-11-15T18:18:24.728Z",
    title: "Add a health endpoint to src/server.js",
    titled: false,
    project: { name: "acme-api-g", path: "/home/dev/acme-api-g" },
    cwd: "/home/dev/acme-api-g",
    cwdExists: false,
    model: "gemini-2.5-pro",
    state: "waiting",
    usage: { input: 810, output: 19, cacheRead: 0 },
  });
});

test("the old single-object form gives the same facts", () => {
  const [head] = headsOf("0.15.4/tools");
  expect(head).toMatchObject({
    session: "3fb3f32e-a902-4227-847e-4e9099e2caba",
    createdAt: "2026-11-15T18:43:23.998Z",
    updatedAt: "2026-11-15T18:43:25.420Z",
    title: "Add a health endpoint to src/server.js",
    cwd: "/home/dev/acme-api-g",
    model: "gemini-2.5-pro",
    state: "waiting",
    usage: { input: 749, output: 19, cacheRead: 0 },
  });
});

test("a file with nothing but context is no session", () => {
  const heads = headsOf("0.61.0/resumed");
  expect(heads.map((head) => head?.session)).toEqual([
    "9402b6c2-a413-44b3-8954-32184fc2503d",
    undefined,
  ]);
  expect(geminiCli.head(refOf(file("")), nowhere)).toBeUndefined();
  expect(geminiCli.head(refOf(file(line(header))), nowhere)).toBeUndefined();
  expect(geminiCli.head(refOf(file("not json\n")), nowhere)).toBeUndefined();
});

test("a subagent names its parent, a saved chat is titled by its tag", () => {
  const [child, parent] = headsOf("0.61.0/subagent");
  expect(child?.relation).toEqual({
    kind: "subagent",
    session: "b53673af-83fa-4ca3-adc2-92923843f728",
  });
  expect(child?.session).toBe("33eb134f-b064-4f7b-8052-daaff06d1702");
  expect(child?.title).toMatch(/^Your task is to do a deep investigation/);
  expect(parent?.relation).toBeUndefined();
  const [saved] = headsOf("0.61.0/chat-save-share");
  expect(saved).toMatchObject({ title: "decision-one", titled: true, state: "waiting" });
  expect(geminiCli.resume?.(refOf(saved!.path), saved!)?.argv).toEqual(["gemini"]);
});

test("a session left without an answer was interrupted; a killed tool leaves no trace", () => {
  expect(headsOf("0.61.0/killed-in-tool")[0]?.state).toBe("waiting");
  const asked = file(line(header) + user("u1", "Do it"));
  expect(geminiCli.head(refOf(asked), nowhere)?.state).toBe("interrupted");
});

test("the title is the summary where one was set, else what was typed", () => {
  const hooked = user("u1", "<hook_context>a</hook_context>\n\nDo it", {
    displayContent: "<hook_context>a</hook_context>\n\nDo it",
  });
  const path = file(line(header) + user("u0", "<session_context>x</session_context>") + hooked);
  expect(geminiCli.head(refOf(path), nowhere)).toMatchObject({ title: "Do it", titled: false });
  appendFileSync(path, line({ $set: { summary: "Add the\nendpoint" } }));
  expect(geminiCli.head(refOf(path), nowhere)).toMatchObject({
    title: "Add the endpoint",
    titled: true,
  });
  const shown = file(line(header) + user("u1", "noise", { displayContent: [{ text: "Clean" }] }));
  expect(geminiCli.head(refOf(shown), nowhere)?.title).toBe("Clean");
  const typedPath = file(
    line(header) + user("u1", "/help") + user("u2", "/home/dev/x explain this"),
  );
  expect(geminiCli.head(refOf(typedPath), nowhere)?.title).toBe("/home/dev/x explain this");
});

test("a prompt behind a large listing of the project is still found", () => {
  const context = `<session_context>${"├───file\n".repeat(20_000)}</session_context>`;
  const set = line({
    $set: { messages: [{ id: "c", type: "user", content: [{ text: context }] }] },
  });
  expect(
    geminiCli.head(refOf(file(line(header) + set + user("u1", "Behind"))), nowhere)?.title,
  ).toBe("Behind");
});

test("a damaged header is told and does not hide the session", () => {
  const path = file(line(header).slice(0, 40) + user("u1", "Do it") + user("u2", "And that"));
  expect(geminiCli.head(refOf(path), nowhere)).toMatchObject({
    session: "s",
    title: "And that",
    problem: expect.any(String),
  });
});

test("an old session that went on as lines is told once", () => {
  const source = join(fixtureRoot, "0.15.4/tools/.gemini/tmp");
  cpSync(source, folder, { recursive: true });
  const [ref] = [
    ...geminiCli.locate({
      ...nowhere,
      variables: { GEMINI_CLI_HOME: homeOf("0.15.4/tools").home },
    }),
  ];
  const copy = join(folder, "session-2026-11-15T18-43-3fb3f32e.json");
  cpSync(ref!.path, copy);
  expect(geminiCli.head(refOf(copy), nowhere)?.state).toBe("waiting");
  writeFileSync(`${copy}l`, line(header));
  expect(geminiCli.head(refOf(copy), nowhere)?.state).toBe("waiting");
  appendFileSync(`${copy}l`, user("u1", "On"));
  expect(geminiCli.head(refOf(copy), nowhere)).toBeUndefined();
});

test("resume names the session and runs in its project", () => {
  const [head] = headsOf("0.61.0/plain");
  expect(geminiCli.resume?.(refOf(head!.path), head!)).toEqual({
    argv: ["gemini", "--resume", "365749a5-91c2-4047-91cf-e0bf00c94faa"],
    cwd: "/home/dev/acme-api-g",
  });
});
