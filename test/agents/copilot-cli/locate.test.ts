import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { copilotCli } from "../../../src/agents/copilot-cli/index.ts";
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
