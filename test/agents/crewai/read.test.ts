import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { lineagesOf } from "../../../src/agents/crewai/checkpoint-list.ts";
import { crewai } from "../../../src/agents/crewai/index.ts";
import { Connection } from "../../../src/sqlite/connection.ts";
import { decodeJsonb } from "../../../src/sqlite/jsonb.ts";
import { agentCases } from "../../../src/testing/agent-cases.ts";
import { temporaryFolder } from "../../temporary-folder.mjs";
import { describeGolden, envOf, readAll, refsIn, scenesOf } from "../kit/scenes.ts";
import { assertSurvives } from "../kit/survives.ts";

const scenes = scenesOf("crewai");
const homeOf = (name: string): string => scenes.find((scene) => scene.name.endsWith(name))!.home;

/** A copy of a scene that may be changed. */
function copyOf(name: string): string {
  const home = join(temporaryFolder(), "home");
  cpSync(homeOf(name), home, { recursive: true });
  return home;
}

describeGolden(crewai);

describe.each(scenes)("the rules of every reader, $name", ({ name }) => {
  const home = copyOf(name);
  const env = envOf(home);
  const sessions = [...refsIn(crewai, env).keys()];
  test.each(agentCases)("$name", ({ run }) => run({ agent: crewai, env, folder: home, sessions }));
});

test("nothing it keeps is taken for a conversation", () => {
  const kinds = scenes.flatMap(({ home }) =>
    [...refsIn(crewai, envOf(home)).values()].map((ref) => crewai.head(ref, envOf(home))?.kind),
  );
  expect(new Set(kinds)).toEqual(new Set(["state", "memory"]));
});

test("a flow that waits for a person says so, with its question", async () => {
  const env = envOf(homeOf("storage"));
  const ref = refsIn(crewai, env).get("7c9e6679-7425-40de-944b-e07fc1f90ae7")!;
  expect(crewai.head(ref, env)).toMatchObject({ state: "waiting", kind: "state" });
  const { events } = await readAll(crewai, ref);
  expect(JSON.stringify(events.at(-1)!.body)).toContain("Please review");
});

test("checkpoints in files and in a database say the same", async () => {
  const said = await Promise.all(
    ["checkpoint-files", "checkpoint-database"].map(async (name) => {
      const [ref] = [...refsIn(crewai, envOf(homeOf(name))).values()];
      const { events } = await readAll(crewai, ref!, { allBranches: true });
      return events.map(({ number, parent, at, live, body }) => ({
        number,
        parent,
        at,
        live,
        body,
      }));
    }),
  );
  expect(said[0]!.length).toBeGreaterThan(8);
  expect(said[1]).toEqual(said[0]);
});

test("a branch leaves the checkpoint it came from, and only the newest one is live", async () => {
  const home = copyOf("checkpoint-files");
  const folder = join(home, "project", ".checkpoints", "main");
  const later = "20261115T191500_0badcafe_p-20261115T191453_88d798b3.json";
  const task = (id: string, raw: string) => ({
    id,
    description: `task ${id}`,
    expected_output: "t",
    output: { raw },
  });
  const content = {
    entities: [
      { entity_type: "crew", name: "acme", tasks: [task("t0", "out 0"), task("t9", "other")] },
    ],
  };
  writeFileSync(join(folder, later), JSON.stringify(content));
  const refs = [...refsIn(crewai, envOf(home)).values()];
  expect(refs).toHaveLength(1);
  const { events } = await readAll(crewai, refs[0]!, { allBranches: true });
  const checkpoints = events.filter(({ body }) => body.type === "checkpoint");
  expect(checkpoints.map(({ live }) => live)).toEqual([true, false, true, false]);
  const live = (await readAll(crewai, refs[0]!)).events;
  expect(JSON.stringify(live)).toContain("other");
  expect(JSON.stringify(live)).not.toContain("out 2");
});

test("checkpoints that name each other in a circle, or thousands in a line, are put in order", () => {
  const circle = lineagesOf([
    { id: "20260101T000000_aaaaaaaa", parent: "20260101T000000_bbbbbbbb", branch: "main" },
    { id: "20260101T000000_bbbbbbbb", parent: "20260101T000000_aaaaaaaa", branch: "main" },
  ]);
  expect(circle.flatMap(({ places }) => places)).toHaveLength(2);
  const line = Array.from({ length: 50_000 }, (_, index) => ({
    id: `20260101T000000_${index.toString(16).padStart(8, "0")}`,
    branch: "main",
    ...(index > 0 && { parent: `20260101T000000_${(index - 1).toString(16).padStart(8, "0")}` }),
  }));
  expect(lineagesOf(line.toReversed())).toMatchObject([{ root: line[0]!.id, places: line }]);
});

test("a storage is found by its project's name, by the variable, and as a source", () => {
  const home = copyOf("storage");
  const storage = join(home, "moved");
  cpSync(join(home, ".local", "share", "project"), storage, { recursive: true });
  const here = [...refsIn(crewai, envOf(home)).keys()].map((id) => id.replace("project", "moved"));
  rmSync(join(home, ".local"), { recursive: true });
  const env = envOf(home);
  expect([...crewai.locate(env)]).toEqual([]);
  const named = { ...env, variables: { CREWAI_STORAGE_DIR: storage } };
  expect([...refsIn(crewai, named).keys()]).toEqual(here);
  expect([...crewai.at!(storage, env)].map(({ session }) => session)).toEqual(here);
  const renamed = join(home, "flows.sqlite");
  cpSync(join(storage, "flow_states.db"), renamed);
  expect([...crewai.at!(renamed, env)]).toHaveLength(2);
  writeFileSync(join(home, "text.db"), "no database");
  expect([...crewai.at!(join(home, "text.db"), env)]).toEqual([]);
});

test("a store of vectors is named and not read", async () => {
  const home = copyOf("storage");
  const lance = join(home, ".local", "share", "project", "memory", "memories.lance", "_versions");
  mkdirSync(lance, { recursive: true });
  writeFileSync(join(lance, "1.manifest"), "binary");
  const env = envOf(home);
  const ref = refsIn(crewai, env).get("vectors-project")!;
  expect(crewai.head(ref, env)).toMatchObject({
    kind: "memory",
    title: expect.stringMatching(/LanceDB.*not read/),
  });
  const { events } = await readAll(crewai, ref);
  expect(events.map(({ body }) => body.type)).toEqual(["note"]);
});

const databases = [
  ["storage", ".local/share/project/flow_states.db", "flow 0f8fad5b-d9cb-469f-a165-70867728950e"],
  ["storage", ".local/share/project/latest_kickoff_task_outputs.db", "kickoff"],
  ["storage", ".local/share/project/long_term_memory_storage.db", "memory"],
  ["checkpoint-database", "project/.checkpoints.db", "checkpoints 20261115T191453_88d798b3"],
] as const;

test("400 damaged databases are read without a throw or a hang", async () => {
  for (const [scene, path, part] of databases) {
    await assertSurvives({
      agent: crewai,
      kind: "sqlite",
      sources: [join(homeOf(scene), path)],
      rounds: 100,
      ref: (copy, root) => {
        const ref = {
          agent: "crewai",
          session: "s",
          path: copy,
          part,
          root,
          sizeBytes: 0,
          modifiedMs: 0,
        };
        crewai.head(ref, envOf(root));
        return ref;
      },
    });
  }
}, 60_000);

test("100 damaged checkpoint files are read, and what is whole in them is told", async () => {
  const folder = join(homeOf("checkpoint-files"), "project", ".checkpoints", "main");
  const name = "20261115T191453_88d798b3_p-none.json";
  await assertSurvives({
    agent: crewai,
    kind: "json",
    sources: [join(folder, name)],
    rounds: 100,
    place: () => join(".checkpoints", "main", name),
    ref: (path, root) => {
      const part = "files 20261115T191453_88d798b3";
      return { agent: "crewai", session: "s", path, part, root, sizeBytes: 0, modifiedMs: 0 };
    },
  });
}, 60_000);

test("of a database whose schema is gone the rows on its pages come back", async () => {
  const home = copyOf("storage");
  const path = join(home, ".local", "share", "project", "flow_states.db");
  const env = envOf(home);
  const [ref] = [...refsIn(crewai, env).values()];
  const whole = await readAll(crewai, ref!);
  const bytes = readFileSync(path);
  // The first page, which names the tables, has cells that lead nowhere.
  bytes.fill(0xff, 108, 120);
  writeFileSync(path, bytes);
  const left = await readAll(crewai, ref!);
  expect(left.events.filter(({ body }) => body.type === "note").length).toBeGreaterThan(0);
  expect(left.damage.length).toBeGreaterThan(0);
  expect(whole.damage).toEqual([]);
});

test("binary JSON is decoded as SQLite would, and bytes that are none are refused", () => {
  const database = new Connection(":memory:");
  const values = [
    {
      a: [1, -2.5, 1e300, true, false, null],
      "k\u00e9y": 't"e\\xt \u2028 😀',
      nested: { deep: [[]] },
    },
    [],
    "x".repeat(70_000),
    Array.from({ length: 300 }, (_, index) => `item ${index}`),
  ];
  for (const value of values) {
    const { bytes } = database.prepare("select jsonb(?) as bytes").get(JSON.stringify(value)) as {
      bytes: Uint8Array;
    };
    expect(decodeJsonb(bytes)).toEqual(value);
    for (const cut of [0, 1, bytes.length - 1].filter((at) => at < bytes.length))
      expect(() => decodeJsonb(bytes.subarray(0, cut))).toThrow(RangeError);
  }
  database.close();
  expect(() => decodeJsonb(Buffer.alloc(10_000, 0xbb))).toThrow(RangeError);
  expect(() => decodeJsonb(Buffer.from([0xfb, 255, 255, 255, 255, 255, 255, 255, 255]))).toThrow(
    RangeError,
  );
});
