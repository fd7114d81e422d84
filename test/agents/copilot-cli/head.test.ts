import { appendFileSync, cpSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { copilotCli } from "../../../src/agents/copilot-cli/index.ts";
import type { Environment } from "../../../src/base/env.ts";
import { temporaryFolder } from "../../temporary-folder.mjs";
import { fixture, refOf } from "./sessions.ts";

const home = temporaryFolder();
const env: Environment = { variables: {}, platform: "linux", home, cwd: home };
const headOf = (path: string) => copilotCli.head(refOf(path), env);

/** A copy of a scenario's session that may be changed. */
function copyOf(scenario: string): string {
  const folder = join(temporaryFolder(), "session");
  cpSync(dirname(fixture(scenario)), folder, { recursive: true });
  return join(folder, "events.jsonl");
}

test("a head tells title, times, folder, branch, model, version and how the session was left", () => {
  const path = fixture("rich");
  expect(headOf(path)).toEqual({
    agent: "copilot-cli",
    session: "11111111-1111-4111-8111-111111111111",
    path,
    sizeBytes: readFileSync(path).length,
    createdAt: "2026-11-10T09:00:00.000Z",
    updatedAt: "2026-11-10T09:00:28.000Z",
    title: 'Counting: "one" file',
    titled: true,
    cwd: "/home/dev/acme-api",
    cwdExists: expect.any(Boolean),
    project: { name: "acme-api", path: "/home/dev/acme-api" },
    git: { branch: "main", commit: "0123456789012345678901234567890123456789" },
    model: "gpt-5.4-mini",
    version: "1.0.64-3",
    state: "ended",
  });
});

test("the name is that of the file beside the events, else the first prompt", () => {
  expect(headOf(fixture("resumed"))).toMatchObject({
    title: "The port of the server",
    titled: true,
  });
  expect(headOf(fixture("plain"))).toMatchObject({
    title: "Remember the code word BLUEHERON",
    titled: false,
  });
  expect(headOf(fixture("no-name"))?.title).toBe("A name in a block");
  expect(headOf(fixture("compacted"))).toMatchObject({ title: "Plan the work", titled: false });
  expect(copilotCli.text?.titleOf?.(refOf(fixture("resumed")))).toBe("The port of the server");
});

test("a name that is given later changes the stamp of the head", () => {
  const path = copyOf("plain");
  const before = copilotCli.headStamp?.(refOf(path), env);
  writeFileSync(join(dirname(path), "workspace.yaml"), "name: 'It''s new'\nuser_named: true\n");
  expect(copilotCli.headStamp?.(refOf(path), env)).not.toBe(before);
  expect(headOf(path)).toMatchObject({ title: "It's new", titled: true });
});

test("a session that was left while a tool ran is interrupted", () => {
  expect(headOf(fixture("compacted"))?.state).toBe("interrupted");
});

test("a session that the program closed after its answer has ended, and goes on if it is resumed", () => {
  const path = copyOf("rich");
  const add = (type: string, data: object): void =>
    appendFileSync(
      path,
      `${JSON.stringify({ type, data, timestamp: "2026-11-10T10:00:00.000Z" })}\n`,
    );
  expect(headOf(path)?.state).toBe("ended");
  add("user.message", { content: "one more" });
  expect(headOf(path)?.state).toBe("interrupted");
  add("session.shutdown", { shutdownType: "routine" });
  expect(headOf(path)?.state).toBe("interrupted");
  add("assistant.message", { content: "done" });
  add("session.shutdown", { shutdownType: "error" });
  expect(headOf(path)?.state).toBe("waiting");
});

test("the first prompt is found behind long instructions", () => {
  const [start = "", ...rest] = readFileSync(fixture("compacted"), "utf8").split("\n");
  const system = { type: "system.message", data: { content: "x".repeat(300_000) } };
  const path = copyOf("compacted");
  writeFileSync(path, [start, JSON.stringify(system), ...rest].join("\n"));
  expect(headOf(path)?.title).toBe("Plan the work");
});

test("a file without its first record says so, one with nothing of the program's has no head", () => {
  const path = copyOf("plain");
  writeFileSync(path, readFileSync(path, "utf8").split("\n").slice(1).join("\n"));
  expect(headOf(path)?.problem).toBe("The record of the session's start is missing.");
  writeFileSync(path, "hello\nworld\n");
  expect(headOf(path)).toBeUndefined();
});

test("heads of damaged files never throw", () => {
  const path = copyOf("rich");
  const bytes = readFileSync(path);
  for (let cut = 0; cut < bytes.length; cut += 97) {
    writeFileSync(path, bytes.subarray(0, cut));
    expect(() => headOf(path)).not.toThrow();
    writeFileSync(path, bytes.subarray(cut));
    expect(() => headOf(path)).not.toThrow();
  }
});

test("the command that continues a session names it by its id", () => {
  const ref = refOf(fixture("plain"));
  const head = copilotCli.head(ref, env)!;
  expect(copilotCli.resume!(ref, head)?.argv).toEqual(["copilot", `--resume=${ref.session}`]);
});
