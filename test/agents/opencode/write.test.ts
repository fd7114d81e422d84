import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Written } from "../../../src/agents/contract.ts";
import { opencode } from "../../../src/agents/opencode/index.ts";
import { Connection } from "../../../src/sqlite/connection.ts";
import { newUser } from "../../convert/stores.ts";
import { aboutFor, describeWriter, given } from "../kit/writes.ts";
import "./fixtures.ts";

const writer = await opencode.writer!();

function opened(path: string): Connection {
  return new Connection(path);
}

function rowsOf(path: string): readonly string[] {
  const database = opened(path);
  try {
    return ["project", "session", "message", "part"].flatMap((table) =>
      [...database.prepare(`SELECT * FROM ${table} ORDER BY id`).iterate()].map((row) =>
        JSON.stringify([table, row]),
      ),
    );
  } finally {
    database.close();
  }
}

function change(path: string, sql: string, ...values: readonly (string | number)[]): void {
  const database = opened(path);
  database.prepare(sql).run(...values);
  database.close();
}

describeWriter(opencode, {
  title: true,
  branch: false,
  model: false,
  shared: /\/opencode\.db/,
  touch: ({ ref }: Written) =>
    change(ref.path, "UPDATE part SET data = data || ' ' WHERE session_id = ?", ref.session),
});

describe("rows written for OpenCode", () => {
  const write = (env: ReturnType<typeof newUser>) =>
    writer.write(given(), { env, about: aboutFor(env) });

  test("stand beside the others, which stay as they were", async () => {
    const env = newUser();
    const { path } = (await write(env)).ref;
    const before = rowsOf(path);
    const { ref } = await write(env);
    const now = rowsOf(path);
    expect(
      now.filter((row) => !before.includes(row)).every((row) => row.includes(ref.session)),
    ).toBe(true);
    expect(before.every((row) => now.includes(row))).toBe(true);
  });

  /** A user whose project is one of its own for the program. */
  function newRepository() {
    const env = newUser();
    mkdirSync(join(env.cwd, ".git"));
    writeFileSync(join(env.cwd, ".git", "opencode"), "0123456789".repeat(4));
    return env;
  }
  const isProject = (row: string, cwd: string): boolean =>
    row.startsWith('["project"') && row.includes(cwd);

  test("are removed to the last, the project that came with them too", async () => {
    const env = newRepository();
    const { path } = [...opencode.locate(env)][0]!;
    const before = rowsOf(path);
    const written = await write(env);
    expect(rowsOf(path).some((row) => isProject(row, env.cwd))).toBe(true);
    await writer.takeBack(written, env);
    expect(rowsOf(path)).toEqual(before);
  });

  test("leave the project where another session came to use it", async () => {
    const env = newRepository();
    const first = await write(env);
    await write(env);
    await writer.takeBack(first, env);
    expect(rowsOf(first.ref.path).some((row) => isProject(row, env.cwd))).toBe(true);
  });

  test("cannot be written where the program never ran", async () => {
    const env = { ...newUser(), variables: { XDG_DATA_HOME: "/nowhere" } };
    await expect(write(env)).rejects.toMatchObject({ code: "not_found" });
  });
});
