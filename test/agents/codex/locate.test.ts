import {
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { codex } from "../../../src/agents/codex/index.ts";
import { temporaryFolder } from "../../temporary-folder.mjs";
import { fixtures, homeAt, putRollout, readAll, refsIn, threadId, turn } from "./store.ts";

const one = threadId(1);

test("a missing store yields nothing", () => {
  expect([...codex.locate(homeAt(join(temporaryFolder(), "nowhere")))]).toEqual([]);
});

test("CODEX_HOME moves the store; an empty one does not", () => {
  const home = temporaryFolder();
  const elsewhere = temporaryFolder();
  putRollout(home, { thread: one, root: elsewhere }, []);
  putRollout(home, { thread: threadId(2) }, []);
  const found = (variables: Record<string, string>): string[] =>
    [...codex.locate(homeAt(home, variables))].map((ref) => ref.session);
  expect(found({ CODEX_HOME: elsewhere })).toEqual([one]);
  expect(found({ CODEX_HOME: "" })).toEqual([threadId(2)]);
});

test("the folder is the same on every platform", () => {
  const home = temporaryFolder();
  putRollout(home, { thread: one }, []);
  for (const platform of ["linux", "darwin", "win32"] as const) {
    const refs = [...codex.locate({ ...homeAt(home), platform })];
    expect(refs.map((ref) => ref.session)).toEqual([one]);
  }
});

test("archived sessions, flat files, undated names and other days are found", () => {
  const home = temporaryFolder();
  const sessions = join(home, ".codex/sessions");
  putRollout(home, { thread: one, archived: true }, []);
  mkdirSync(join(sessions, "2025/01/02"), { recursive: true });
  writeFileSync(join(sessions, `rollout-${threadId(2)}.jsonl`), "x");
  writeFileSync(join(sessions, `2025/01/02/rollout-2025-01-02T00-00-00-${threadId(3)}.jsonl`), "x");
  writeFileSync(join(sessions, `2025/01/02/${threadId(4)}.jsonl`), "x");
  writeFileSync(join(sessions, "2025/01/02/rollout-2025-01-02T00-00-00-nonsense.jsonl"), "x");
  writeFileSync(join(sessions, "2025/01/02/notes.txt"), "x");
  mkdirSync(join(sessions, `2025/01/02/rollout-2025-01-02T00-00-00-${threadId(5)}.jsonl`));
  symlinkSync("/nowhere", join(sessions, `rollout-2025-01-02T00-00-00-${threadId(6)}.jsonl`));
  expect([...refsIn(home).keys()].sort()).toEqual([one, threadId(2), threadId(3)]);
});

test("a ref tells path, size, time and root", () => {
  const home = temporaryFolder();
  const path = putRollout(home, { thread: one }, turn("p", "a"));
  const { size, mtimeMs } = statSync(path);
  expect([...codex.locate(homeAt(home))]).toEqual([
    {
      agent: "codex",
      session: one,
      path,
      sizeBytes: size,
      modifiedMs: mtimeMs,
      root: join(home, ".codex"),
    },
  ]);
});

test("the store is as it was after everything in it was read", async () => {
  const before = pictureOf(fixtures);
  for (const version of readdirSync(fixtures, { withFileTypes: true })) {
    if (!version.isDirectory()) continue;
    for (const scenario of readdirSync(join(fixtures, version.name))) {
      const home = join(fixtures, version.name, scenario);
      for (const ref of codex.locate(homeAt(home))) {
        codex.head(ref, homeAt(home));
        await readAll(ref, { allBranches: true });
        await readAll(ref, { last: 5 });
      }
    }
  }
  expect(pictureOf(fixtures)).toEqual(before);
});

function pictureOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const stat = statSync(path);
      const content = entry.isFile() ? readFileSync(path).toString("base64").slice(-64) : "";
      return `${path} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs} ${content}`;
    })
    .sort();
}
