import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { copilotCli } from "../../../src/agents/copilot-cli/index.ts";
import type { Environment } from "../../../src/base/env.ts";
import { temporaryFolder } from "../../temporary-folder.mjs";

const home = temporaryFolder();
const id = "01a1e06f-8979-4635-8c6b-c5165bcd1a72";

function put(path: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), "x");
}

const found = (variables: Readonly<Record<string, string>>): readonly string[] =>
  [...copilotCli.locate({ variables, platform: "linux", home, cwd: home })]
    .map(({ session, path }) => `${session} ${path.slice(home.length + 1)}`)
    .sort();

test("sessions are folders with events or files of events, the program's own locks are passed over", () => {
  put(`.copilot/session-state/${id}/events.jsonl`);
  put(".copilot/session-state/old.jsonl");
  put(".copilot/session-state/without-events/workspace.yaml");
  put(`.copilot/session-state/.session-operation-locks/${id}.lock`);
  expect(found({})).toEqual([
    `${id} .copilot/session-state/${id}/events.jsonl`,
    "old .copilot/session-state/old.jsonl",
  ]);
});

test("the program's folder may be named by the environment", () => {
  put(`elsewhere/session-state/${id}/events.jsonl`);
  expect(found({ COPILOT_HOME: join(home, "elsewhere") })).toEqual([
    `${id} elsewhere/session-state/${id}/events.jsonl`,
  ]);
});

test("the plan of a session is listed as notes, in the folder of the session", async () => {
  const home = temporaryFolder();
  const folder = join(home, ".copilot", "session-state", "s-1");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "events.jsonl"), "");
  writeFileSync(join(folder, "workspace.yaml"), "id: s-1\ncwd: /home/dev/acme-api\n");
  writeFileSync(
    join(folder, "plan.md"),
    "# Move the port\n\n- [ ] Change it\n\n## After\n\nTest.\n",
  );
  const env: Environment = { variables: {}, platform: "linux", home, cwd: home };
  const plan = [...copilotCli.locate(env)].find(({ session }) => session === "s-1-plan")!;
  expect(copilotCli.head(plan, env)).toMatchObject({
    kind: "notes",
    title: "Move the port",
    cwd: "/home/dev/acme-api",
  });
  expect(copilotCli.opening!(plan, env)).toEqual({
    session: "s-1-plan",
    cwd: "/home/dev/acme-api",
  });
  const said: unknown[] = [];
  for await (const { events } of copilotCli.read(plan))
    said.push(...events.map(({ body }) => body));
  expect(said).toEqual([
    { type: "note", content: "# Move the port\n\n- [ ] Change it" },
    { type: "note", content: "## After\n\nTest." },
  ]);
});
