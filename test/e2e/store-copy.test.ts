import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { machine } from "./program.ts";

test("`reprise store copy` shows a plan, copies with --yes, and back again byte by byte", () => {
  const { run, json, cwd, home, runWith } = machine();
  const made = json("new", "--title", "moved");
  const id = String(made["session"]);
  runWith({ input: '{"type":"user","content":"hello"}\n' }, "append", id);
  const source = join(home, ".reprise");
  const database = join(cwd, "sessions.db");
  const plan = run("store", "copy", source, database);
  expect(plan.status).toBe(0);
  expect(plan.stdout).toContain("Would copy 1 session");
  expect(existsSync(database)).toBe(false);
  expect(json("store", "copy", source, database, "--yes")).toMatchObject({
    done: true,
    copied: [{ session: id }],
    left: [],
  });
  const back = join(cwd, "back");
  const copied = run("store", "copy", database, back, id, "--yes");
  expect(copied.stderr).toContain("every byte was compared");
  const file = String(json("show", id)["path"] ?? made["file"]);
  expect(readFileSync(join(back, `${id}.jsonl`))).toEqual(readFileSync(file));
  expect(json("store", "copy", source, database, "--yes")).toMatchObject({
    sessions: [{ session: id, action: "same" }],
    copied: [],
  });
  expect(run("store", "copy", join(cwd, "none"), database).status).toBe(3);
  expect(run("store", "move", source, database).status).toBe(2);
});
