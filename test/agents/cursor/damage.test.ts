import { statSync } from "node:fs";
import { basename, join } from "node:path";
import { test } from "vitest";
import { cursor } from "../../../src/agents/cursor/index.ts";
import { envOf, refsIn, scenesOf } from "../kit/scenes.ts";
import { assertSurvives } from "../kit/survives.ts";

const homeOf = (scene: string): string =>
  scenesOf("cursor").find(({ name }) => name.endsWith(`/${scene}`))!.home;

const desktop = join(".config", "Cursor", "User", "globalStorage", "state.vscdb");
const store = [...refsIn(cursor, envOf(homeOf("cli-store"))).values()][0]!;
const databases = [
  {
    of: "the desktop program",
    source: join(homeOf("ide-modern"), desktop),
    session: "3f0a1b2c-1111-4222-8333-444455556666",
    part: "composer:3f0a1b2c-1111-4222-8333-444455556666",
  },
  { of: "the command line", source: store.path, session: store.session, part: undefined },
];

test.each(databases)(
  "500 damaged databases of $of are read, and damage is reported",
  async (one) => {
    const { source, session, part } = one;
    await assertSurvives({
      agent: cursor,
      kind: "sqlite",
      sources: [source],
      ref: (path, root) => ({
        ...{ agent: "cursor", session, path, root, sizeBytes: 0, modifiedMs: 0 },
        ...(part !== undefined && { part }),
      }),
      match: ({ native }) => JSON.stringify(native),
      rounds: 500,
    });
  },
  120_000,
);

test("500 damaged transcripts are read, and what was not touched comes back unchanged", async () => {
  const refs = [...refsIn(cursor, envOf(homeOf("transcripts"))).values()];
  await assertSurvives({
    agent: cursor,
    kind: "lines",
    sources: refs.flatMap(({ path }) => (path.endsWith(".jsonl") ? [path] : [])),
    place: (source) => join("agent-transcripts", basename(source)),
    ref: (path, root) => {
      const { size: sizeBytes, mtimeMs: modifiedMs } = statSync(path);
      return { agent: "cursor", session: "t", path, sizeBytes, modifiedMs, root };
    },
    match: ({ native }) => JSON.stringify(native),
    rounds: 500,
  });
}, 60_000);
