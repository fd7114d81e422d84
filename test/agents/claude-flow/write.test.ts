import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { claudeFlow } from "../../../src/agents/claude-flow/index.ts";
import { notesWriter } from "../../../src/agents/claude-flow/write.ts";
import { Connection } from "../../../src/sqlite/connection.ts";
import { describeNotesWriter, optionsIn, outgoing, project } from "../kit/keeper-writes.ts";
import { readAll, scenesOf } from "../kit/scenes.ts";

describeNotesWriter(claudeFlow);

/** A project with the memory that a version of the program wrote. */
function withMemory(scene: string) {
  const env = project();
  const from = scenesOf("claude-flow").find(({ name }) => name === scene)!.home;
  mkdirSync(join(env.cwd, ".swarm"));
  cpSync(join(from, "project", ".swarm"), join(env.cwd, ".swarm"), { recursive: true });
  return { env, path: join(env.cwd, ".swarm", "memory.db") };
}

function rowsIn(path: string): readonly unknown[] {
  const database = new Connection(path);
  try {
    return [...database.prepare("select * from memory_entries order by rowid").iterate()];
  } finally {
    database.close();
  }
}

test("an entry is added to the program's own memory, and only it is taken back", async () => {
  const { env, path } = withMemory("3.43.0/memory");
  const before = rowsIn(path);
  const written = await notesWriter.write(outgoing, optionsIn(env));
  expect(rowsIn(path)).toHaveLength(before.length + 1);
  const { events } = await readAll(claudeFlow, written.ref);
  expect(JSON.stringify(events.at(-1)!.body)).toContain("Move the API");
  await notesWriter.takeBack(JSON.parse(JSON.stringify(written)), env);
  expect(rowsIn(path)).toEqual(before);
  // Once more: it is gone already.
  await notesWriter.takeBack(written, env);
});

test("an entry that was changed since stays, one that was looked at does not", async () => {
  const { env, path } = withMemory("3.43.0/memory");
  const change = (sql: string): void => {
    const database = new Connection(path);
    database.exec(sql);
    database.close();
  };
  const written = await notesWriter.write(outgoing, optionsIn(env));
  change("update memory_entries set content = 'other' where namespace = 'handoff'");
  await expect(notesWriter.takeBack(written, env)).rejects.toMatchObject({ code: "conflict" });
  const second = await notesWriter.write(outgoing, optionsIn(env));
  change("update memory_entries set access_count = 5 where namespace = 'handoff'");
  const rows = rowsIn(path).length;
  await notesWriter.takeBack(second, env);
  expect(rowsIn(path)).toHaveLength(rows - 1);
});

test("a database of ours that the program wrote into loses our entry alone", async () => {
  const env = project();
  const written = await notesWriter.write(outgoing, optionsIn(env));
  const database = new Connection(written.ref.path);
  database.exec("insert into memory_entries (id, key, content) values ('entry_1', 'k', 'theirs')");
  database.close();
  await notesWriter.takeBack(written, env);
  expect(rowsIn(written.ref.path)).toMatchObject([{ content: "theirs" }]);
});

test("memory of 2.x is left alone", async () => {
  const { env, path } = withMemory("2.7.47/memory-hooks");
  const before = rowsIn(path);
  await expect(notesWriter.write(outgoing, optionsIn(env))).rejects.toMatchObject({
    code: "unsupported",
  });
  expect(rowsIn(path)).toEqual(before);
});
