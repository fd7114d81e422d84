import { join } from "node:path";
import { test } from "vitest";
import { cursor } from "../../../src/agents/cursor/index.ts";
import { scenesOf } from "../kit/scenes.ts";
import { assertSurvives } from "../kit/survives.ts";

const { home } = scenesOf("cursor").find(({ name }) => name.endsWith("/ide-modern"))!;
const session = "3f0a1b2c-1111-4222-8333-444455556666";

test("500 damaged databases are read without a throw or a hang, and damage is told", async () => {
  await assertSurvives({
    agent: cursor,
    kind: "sqlite",
    sources: [join(home, ".config", "Cursor", "User", "globalStorage", "state.vscdb")],
    ref: (path) => ({
      ...{ agent: "cursor", session, path, part: session },
      ...{ sizeBytes: 0, modifiedMs: 0 },
    }),
    rounds: 500,
  });
}, 120_000);
