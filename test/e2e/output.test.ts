import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { machine, program } from "./program.ts";

const here = machine();
const session = "5a3e1c0f-7b64-4d0e-9c55-000000000001";
const prompt = "long ".repeat(400_000);
const folder = join(here.home, ".claude", "projects", "-work");
mkdirSync(folder, { recursive: true });
const record = {
  parentUuid: null,
  isSidechain: false,
  cwd: here.cwd,
  sessionId: session,
  version: "2.1.325",
  type: "user",
  message: { role: "user", content: prompt },
  uuid: "5a3e1c0f-7b64-4d0e-9c55-00000000000a",
  timestamp: "2026-11-15T10:00:00.000Z",
};
writeFileSync(join(folder, `${session}.jsonl`), `${JSON.stringify(record)}\n`);
const argv = [program, "show", session, "--json"];

test("a reader that goes away ends the program quietly", () => {
  const line = `"${process.execPath}" ${argv.map((word) => `"${word}"`).join(" ")}; echo $? >&2`;
  const { stdout, stderr } = spawnSync("sh", ["-c", `{ ${line}; } | head -c 5`], {
    env: here.env,
    encoding: "utf8",
  });
  expect({ stdout, stderr }).toEqual({ stdout: '{"for', stderr: "0\n" });
});

test("a pipe that makes its writer come back gets everything, in order", async () => {
  const whole = here.run("show", session, "--json").stdout;
  expect(whole.length).toBeGreaterThan(prompt.length);
  // Whoever opens a pipe this way makes it one that does not wait.
  const opener = join(here.home, "opener.cjs");
  writeFileSync(
    opener,
    'const { Pipe, constants } = process.binding("pipe_wrap"); new Pipe(constants.SOCKET).open(1);',
  );
  const child = spawn(process.execPath, ["--require", opener, ...argv], {
    env: here.env,
    cwd: here.cwd,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  const pieces: Buffer[] = [];
  for await (const piece of child.stdout) pieces.push(piece as Buffer);
  expect(await ended).toEqual([0, null]);
  expect(Buffer.concat(pieces).toString("utf8")).toBe(whole);
});
