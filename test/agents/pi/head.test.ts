import { appendFileSync, copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { pi } from "../../../src/agents/pi/index.ts";
import type { Environment } from "../../../src/base/env.ts";
import { temporaryFolder } from "../../temporary-folder.mjs";
import { fixture, refOf, scenarios } from "./sessions.ts";

const folder = temporaryFolder();
const path = join(folder, "session.jsonl");
const env: Environment = { variables: {}, platform: "linux", home: folder, cwd: folder };
const headOf = (file: string) => pi.head(refOf(file), env);

const header =
  '{"type":"session","version":3,"id":"s","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/nowhere"}\n';
const prompt = (text: string): string =>
  `${JSON.stringify({ type: "message", id: "a", parentId: null, timestamp: "2026-01-01T00:00:01.000Z", message: { role: "user", content: text } })}\n`;

test("a head tells title, times, folder, model and how the session was left", () => {
  const ref = refOf(fixture("tools"));
  expect(headOf(ref.path)).toEqual({
    agent: "pi",
    session: "01a1e06f-9fd4-7680-898a-0bfb1cd3a09f",
    path: ref.path,
    sizeBytes: ref.sizeBytes,
    createdAt: "2026-11-15T18:19:34.229Z",
    updatedAt: expect.stringMatching(/^2026-11-15T18:19:3/),
    title: expect.any(String),
    titled: false,
    cwd: "/home/dev/acme-api",
    cwdExists: expect.any(Boolean),
    project: { name: "acme-api", path: "/home/dev/acme-api" },
    model: "stub-1",
    version: "3",
    state: "waiting",
  });
});

for (const scenario of scenarios) {
  test(`the name of ${scenario} is the one pi shows`, () => {
    const { name } = JSON.parse(readFileSync(fixture(scenario, ".expect.json"), "utf8"));
    const head = headOf(fixture(scenario));
    expect(head?.titled ? head.title : null).toBe(name);
  });
}

test("a name set near the end of a large file is found by reading its end", () => {
  const filler = prompt("x".repeat(2000)).repeat(2000);
  writeFileSync(path, header + prompt("first prompt") + filler);
  expect(headOf(path)).toMatchObject({ title: "first prompt", titled: false });
  appendFileSync(
    path,
    '{"type":"session_info","id":"n","parentId":"a","timestamp":"2026-01-02T00:00:00.000Z","name":"A name"}\n',
  );
  expect(headOf(path)).toMatchObject({
    title: "A name",
    titled: true,
    updatedAt: "2026-01-02T00:00:00.000Z",
  });
});

test("a first prompt longer than the first bytes still gives the title", () => {
  writeFileSync(path, header + prompt(`begin ${"x".repeat(100_000)}`));
  expect(headOf(path)?.title).toMatch(/^begin x+…$/);
});

test("a session left while a tool ran or an answer was cut is interrupted", () => {
  expect(headOf(fixture("killed-in-tool/before-resume"))?.state).toBe("interrupted");
  expect(headOf(fixture("aborted"))?.state).toBeDefined();
  writeFileSync(path, header + prompt("no answer"));
  expect(headOf(path)?.state).toBe("interrupted");
});

test("a fork names the session it came from", () => {
  const heads = scenarios
    .filter((scenario) => scenario.startsWith("forked/"))
    .map((scenario) => headOf(fixture(scenario)));
  expect(heads.map((head) => head?.relation?.session)).toEqual([undefined, heads[0]?.session]);
});

test("a broken header is a problem, and resuming then cannot overwrite the file", () => {
  const ref = refOf(fixture("damaged-header"));
  const head = pi.head(ref, env)!;
  expect(head.problem).toMatch(/overwrite/);
  expect(pi.resume!(ref, head)?.argv).toEqual(["pi", "--fork", ref.path]);
  const sound = refOf(fixture("plain"));
  expect(pi.resume!(sound, pi.head(sound, env)!)?.argv).toEqual(["pi", "--session", sound.path]);
});

test("a file that holds nothing of pi's has no head", () => {
  for (const content of ["", "\n", "hello\nworld\n", "\0".repeat(5000), "{".repeat(5000)]) {
    writeFileSync(path, content);
    expect(headOf(path)).toBeUndefined();
  }
  expect(pi.head({ ...refOf(path), path: join(folder, "gone") }, env)).toBeUndefined();
});

test("heads of damaged files never throw", () => {
  const bytes = readFileSync(fixture("every-entry"));
  for (let cut = 0; cut < bytes.length; cut += 97) {
    writeFileSync(path, bytes.subarray(0, cut));
    expect(() => headOf(path)).not.toThrow();
    writeFileSync(path, bytes.subarray(cut));
    expect(() => headOf(path)).not.toThrow();
  }
  copyFileSync(fixture("plain"), path);
  appendFileSync(path, '{"type":"message","timestamp":7,"message":null}\n{"type":[]}\n');
  expect(headOf(path)?.session).toBe("01a1e06f-8979-7635-8c6b-c5165bcd1a72");
});
