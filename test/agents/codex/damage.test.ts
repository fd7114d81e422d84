import { appendFileSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { codex } from "../../../src/agents/codex/index.ts";
import { blocksOf } from "../../../src/model/block.ts";
import { temporaryFolder } from "../../temporary-folder.mjs";
import { assertSurvives } from "../kit/survives.ts";
import { fixtures, homeAt, putRollout, readAll, refsIn, said, threadId, turn } from "./store.ts";

const sources = ["0.166.0/tools", "0.166.0/compacted-auto", "0.105.0/compacted", "0.166.0/subagent"]
  .flatMap((scenario) => [...refsIn(join(fixtures, scenario)).values()])
  .map((ref) => ref.path);

test("500 damaged copies are read without a throw, and only damaged records are lost", async () => {
  await assertSurvives({
    agent: codex,
    sources,
    kind: "lines",
    place: (source) => join(".codex/sessions/2026/11/15", basename(source)),
    ref: (path, folder) => {
      const { size, mtimeMs } = statSync(path);
      const session = basename(path).slice(-42, -6);
      return {
        agent: "codex",
        session,
        path,
        sizeBytes: size,
        modifiedMs: mtimeMs,
        root: join(folder, ".codex"),
      };
    },
    ordinal: (event) => Number.parseInt(event.number, 10),
    match: ({ body }) =>
      body.type === "user" || body.type === "assistant"
        ? `${body.type} ${JSON.stringify(blocksOf(body.content))}`
        : undefined,
  });
});

test("a head of any damaged file is given or refused, never thrown", () => {
  const bytes = readFileSync(sources[0]!);
  const home = temporaryFolder();
  const path = putRollout(home, { thread: threadId(1) }, []);
  for (let at = 0; at < bytes.length; at += 397) {
    writeFileSync(path, Buffer.concat([bytes.subarray(0, at), Buffer.alloc(at % 7)]));
    for (const ref of codex.locate(homeAt(home))) codex.head(ref, homeAt(home));
  }
});

test("a record twice is told as a repeated ordinal, and both keep numbers of their own", async () => {
  const home = temporaryFolder();
  const path = putRollout(home, { thread: threadId(1) }, turn("p", "a"));
  appendFileSync(path, `${readFileSync(path, "utf8").trimEnd().split("\n").at(-1)}\n`);
  const { events, damage } = await readAll(refsIn(home).get(threadId(1))!);
  expect(said(events)).toEqual(["user: p", "assistant: a", "assistant: a"]);
  expect(damage.map((found) => found.kind)).toEqual(["duplicate_id"]);
  expect(new Set(events.map((event) => event.number)).size).toBe(events.length);
});

test("a compaction whose newline was lost still replaces the history", async () => {
  const home = temporaryFolder();
  const path = putRollout(home, { thread: threadId(1) }, [
    ...turn("p", "a"),
    { type: "compacted", payload: { message: "S" } },
    ...turn("q", "b"),
  ]);
  const lines = readFileSync(path, "utf8").split("\n");
  writeFileSync(path, `${lines.slice(0, 3).join("\n")}${lines.slice(3).join("\n")}`);
  const { events, damage } = await readAll(refsIn(home).get(threadId(1))!);
  expect(said(events)).toEqual(["user: p", "summary: S", "user: q", "assistant: b"]);
  expect(damage.map((found) => found.kind)).toEqual(["spliced"]);
});

test("an empty file is no session, and reading it gives nothing", async () => {
  const home = temporaryFolder();
  const path = putRollout(home, { thread: threadId(1) }, []);
  writeFileSync(path, "");
  const ref = refsIn(home).get(threadId(1))!;
  expect(codex.head(ref, homeAt(home))).toBeUndefined();
  expect(await readAll(ref)).toMatchObject({ events: [], damage: [] });
});
