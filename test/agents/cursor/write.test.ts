import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { cursor } from "../../../src/agents/cursor/index.ts";
import { temporaryFolder } from "../../temporary-folder.mjs";
import { envOf, refsIn } from "../kit/scenes.ts";
import { aboutFor } from "../kit/writes.ts";

test("a hand-over is a new rule of the project, found again, and taken back exactly", async () => {
  const env = envOf(temporaryFolder());
  const writer = await cursor.notesWriter!();
  const notes = { sections: {}, page: "# Where we are\n\nThe port is 9090." };
  const written = await writer.write(notes, { env, about: aboutFor(env) });
  expect(written.ref.path).toBe(join(env.cwd, ".cursor", "rules", "handoff-the-title.mdc"));
  expect(readFileSync(written.ref.path, "utf8")).toContain("alwaysApply: true");
  expect([...refsIn(cursor, env).keys()]).toEqual(["rule-handoff-the-title"]);
  await expect(writer.write(notes, { env, about: aboutFor(env) })).rejects.toMatchObject({
    code: "session_exists",
  });
  await writer.takeBack(written, env);
  expect([...refsIn(cursor, env).keys()]).toEqual([]);
});
