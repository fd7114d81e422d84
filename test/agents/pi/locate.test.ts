import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import type { LocateOptions } from "../../../src/agents/contract.ts";
import { pi } from "../../../src/agents/pi/index.ts";
import { temporaryFolder } from "../../temporary-folder.mjs";

let home: string;
beforeEach(() => {
  home = temporaryFolder();
});

function put(path: string, content = ""): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), content);
}

function found(variables: Record<string, string> = {}, options: LocateOptions = {}): string[] {
  const env = { variables, platform: "linux", home, cwd: join(home, "project") } as const;
  return [...pi.locate(env, options)].map((ref) => ref.path.slice(home.length + 1)).sort();
}

const name = "2026-01-01T00-00-00-000Z_01a1e06f-8979-7635-8c6b-c5165bcd1a72.jsonl";

test("sessions of every project are found with their ids", () => {
  put(`.pi/agent/sessions/--home-dev-acme-api--/${name}`, "x");
  put(".pi/agent/sessions/--home-dev-b--/any name.jsonl");
  put(".pi/agent/sessions/--home-dev-b--/notes.txt");
  mkdirSync(join(home, ".pi/agent/sessions/--home-dev-b--/folder.jsonl"));
  const env = { variables: {}, platform: "linux", home, cwd: home } as const;
  const refs = [...pi.locate(env)].sort((a, b) => a.path.localeCompare(b.path));
  expect(refs.map(({ session, sizeBytes }) => [session, sizeBytes])).toEqual([
    ["01a1e06f-8979-7635-8c6b-c5165bcd1a72", 1],
    ["any name", 0],
  ]);
  expect(refs[0]?.root).toBe(join(home, ".pi/agent"));
});

test("the agent's folder may be named by the environment, also from the home folder", () => {
  put(`elsewhere/sessions/--p--/${name}`);
  const path = `elsewhere/sessions/--p--/${name}`;
  expect(found({ PI_CODING_AGENT_DIR: join(home, "elsewhere") })).toEqual([path]);
  expect(found({ PI_CODING_AGENT_DIR: "~/elsewhere" })).toEqual([path]);
  expect(found()).toEqual([]);
});

test("session folders named by environment, settings and projects hold files directly", () => {
  put("by-env/a.jsonl");
  put("by-settings/b.jsonl");
  put("project/by-project/c.jsonl");
  put("other/by-other/d.jsonl");
  put(".pi/agent/settings.json", '{"sessionDir":"~/by-settings"}');
  put("project/.pi/settings.json", '{"sessionDir":"by-project"}');
  put("other/.pi/settings.json", '{"sessionDir":"by-other"}');
  expect(
    found({ PI_CODING_AGENT_SESSION_DIR: "~/by-env" }, { projects: [join(home, "other")] }),
  ).toEqual([
    "by-env/a.jsonl",
    "by-settings/b.jsonl",
    "other/by-other/d.jsonl",
    "project/by-project/c.jsonl",
  ]);
});

test("a folder that is named twice is listed once, broken settings are passed over", () => {
  put(`.pi/agent/sessions/--p--/${name}`);
  put(".pi/agent/settings.json", "{ broken");
  const twice = join(home, ".pi/agent/sessions/--p--");
  expect(found({ PI_CODING_AGENT_SESSION_DIR: twice })).toHaveLength(1);
});
