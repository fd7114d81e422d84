import { createHash } from "node:crypto";
import { appendFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { SessionRef } from "../../../src/agents/contract.ts";
import { cursor } from "../../../src/agents/cursor/index.ts";
import { isObject } from "../../../src/base/json.ts";
import { plainText } from "../../../src/model/block.ts";
import { Connection } from "../../../src/sqlite/connection.ts";
import { temporaryFolder } from "../../temporary-folder.mjs";
import { envOf, readAll, refsIn, scenesOf } from "../kit/scenes.ts";

const chat = "93d7b323-695c-4b84-8b69-d48bb88ae780";

function homeOf(scene: string): string {
  const home = temporaryFolder();
  cpSync(scenesOf("cursor").find(({ name }) => name.endsWith(`/${scene}`))!.home, home, {
    recursive: true,
  });
  return home;
}

const hashOf = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");

/** A frame of hashes: messages, and frames below it. */
function frame(links: readonly { readonly message?: string; readonly tree?: string }[]): Buffer {
  return Buffer.concat(
    links.map(({ message, tree }) =>
      Buffer.concat([
        Buffer.from([message === undefined ? 0x12 : 0x0a, 0x20]),
        Buffer.from(message ?? tree ?? "", "hex"),
      ]),
    ),
  );
}

/** A store of the command line with these blobs. */
function storeWith(blobs: readonly Buffer[], root: string): SessionRef {
  const path = join(temporaryFolder(), "chats", "x", chat, "store.db");
  mkdirSync(dirname(path), { recursive: true });
  const database = new Connection(path);
  database.exec("create table blobs (id TEXT PRIMARY KEY, data BLOB)");
  database.exec("create table meta (key TEXT PRIMARY KEY, value TEXT)");
  for (const blob of blobs)
    database.prepare("insert or ignore into blobs values (?, ?)").run(hashOf(blob), blob);
  const facts = Buffer.from(JSON.stringify({ latestRootBlobId: root, name: "New Agent" }));
  database.prepare("insert into meta values ('0', ?)").run(facts.toString("hex"));
  database.close();
  return { agent: "cursor", session: chat, path, sizeBytes: 1, modifiedMs: 1, root: "" };
}

const message = (role: string, text: string): Buffer =>
  Buffer.from(JSON.stringify({ role, content: [{ type: "text", text }] }));

async function saidIn(ref: SessionRef): Promise<readonly string[]> {
  const { events } = await readAll(cursor, ref, { allBranches: true });
  return events.map(({ body }) =>
    body.type === "user" || body.type === "assistant" ? plainText(body.content) : body.type,
  );
}

test("a conversation that is in several stores is listed once, where it is whole", async () => {
  const home = homeOf("cli-store");
  const [ref, ...others] = [...refsIn(cursor, envOf(home)).values()];
  expect(others).toEqual([]);
  expect(ref!.path).toMatch(/store\.db$/);
  expect(cursor.resume!(ref!, cursor.head(ref!, envOf(home))!)?.argv).toEqual([
    "cursor-agent",
    "--resume",
    chat,
  ]);
  // What the agent wrote beside it is read where the store is gone.
  rmSync(dirname(ref!.path), { recursive: true });
  const [left] = [...refsIn(cursor, envOf(home)).values()];
  expect(left!.path).toMatch(/agent-transcripts/);
  expect(cursor.resume!(left!, cursor.head(left!, envOf(home))!)).toBeUndefined();
  expect(await saidIn(left!)).toEqual([
    "Change the port to 9090",
    "Reading the config.",
    "tool_use",
    "Done: 9090.",
  ]);
});

test("messages come in the order of the tree, whatever lies in its frames", async () => {
  const [one, two, three] = [
    message("user", "<user_query>\nOne\n</user_query>"),
    message("assistant", "Two"),
    message("user", "Three"),
  ];
  const inner = frame([{ message: hashOf(two!) }]);
  // A message may lie in a frame of its own, and what is unknown stands before the hashes.
  const wrapped = Buffer.concat([Buffer.from([0x08, 0x96, 0x01, 0x22, three!.length]), three!]);
  const root = Buffer.concat([
    Buffer.from([0x28, 0x01]),
    frame([{ message: hashOf(one!) }, { tree: hashOf(inner) }, { message: hashOf(wrapped) }]),
  ]);
  const ref = storeWith([wrapped, two!, inner, one!, root], hashOf(root));
  expect(await saidIn(ref)).toEqual(["One", "Two", "Three"]);
  expect(cursor.head(ref, envOf("/nowhere"))).toMatchObject({ title: "One", titled: false });
});

test("a tree that leads into itself, or to nothing, ends", async () => {
  const one = message("user", "One");
  const lost = frame([{ message: hashOf(one) }, { message: "ab".repeat(32) }]);
  const root = frame([{ tree: hashOf(lost) }, { tree: hashOf(lost) }]);
  const ref = storeWith([one, lost, root], hashOf(root));
  const { events, damage } = await readAll(cursor, ref);
  expect(events).toHaveLength(1);
  expect(damage).toHaveLength(2);
});

test("without its tree a store gives its messages as they were written, and says so", async () => {
  const ref = storeWith([message("user", "One"), message("assistant", "Two")], "00".repeat(32));
  expect(await saidIn(ref)).toEqual(["One", "Two"]);
  expect((await readAll(cursor, ref)).damage).toMatchObject([{ kind: "bad_header" }]);
});

test("a message that is not what its hash says is read and reported", async () => {
  const one = message("user", "One");
  const root = frame([{ message: hashOf(one) }]);
  const ref = storeWith([one, root], hashOf(root));
  const database = new Connection(ref.path);
  database
    .prepare("update blobs set data = ? where id = ?")
    .run(message("user", "Won"), hashOf(one));
  database.close();
  expect(await saidIn(ref)).toEqual(["Won"]);
  expect((await readAll(cursor, ref)).damage).toMatchObject([{ kind: "bad_record", recovered: 1 }]);
});

test("a conversation in which nobody said anything is not listed", () => {
  const home = homeOf("ide-2026");
  const ref = refsIn(cursor, envOf(home)).get("8a000000-0000-4000-8000-000000000003")!;
  expect(cursor.head(ref, envOf(home))).toBeUndefined();
});

test("where the trees of a database are gone, the bubbles on its pages are read", async () => {
  const home = homeOf("ide-modern");
  const env = envOf(home);
  const [ref] = [...refsIn(cursor, env).values()];
  const whole = await readAll(cursor, ref!, { allBranches: true });
  // The page the tree of keys begins on, as the schema names it.
  const database = new Connection(ref!.path);
  const sql =
    "select rootpage from sqlite_master where tbl_name = 'cursorDiskKV' and type = 'index'";
  const { rootpage } = database.prepare(sql).get() as { readonly rootpage: number };
  const { page_size: size } = database.prepare("pragma page_size").get() as {
    readonly page_size: number;
  };
  database.close();
  const bytes = readFileSync(ref!.path);
  bytes.fill(0xff, (rootpage - 1) * size, rootpage * size);
  writeFileSync(ref!.path, bytes);
  const [found] = [...refsIn(cursor, env).values()];
  expect(found!.session).toBe(ref!.session);
  const { events, damage } = await readAll(cursor, found!, { allBranches: true });
  expect(damage.length).toBeGreaterThan(0);
  expect(events.map(({ native }) => native)).toEqual(whole.events.map(({ native }) => native));
});

test("a transcript is read on from a cursor as it grows, and anew where it is another", async () => {
  const home = homeOf("transcripts");
  const ref = refsIn(cursor, envOf(home)).get("9a000000-0000-4000-8000-000000000001")!;
  const { cursor: from } = await readAll(cursor, ref);
  const line = JSON.stringify({ role: "user", message: { content: "And now?" } });
  appendFileSync(ref.path, `${line}\n`);
  const more = await readAll(cursor, ref, { from });
  expect(more.restarted).toBe(false);
  expect(more.events.map(({ number, body }) => [number, body])).toEqual([
    ["6", { type: "user", content: "And now?" }],
  ]);
  expect((await readAll(cursor, ref, { from: "another's" })).restarted).toBe(true);
});

test("a database that the user names is read wherever it lies, and another program's is not", () => {
  const env = envOf("/nowhere");
  const elsewhere = temporaryFolder();
  const user = join(".config", "Cursor", "User");
  const at = (scene: string, ...place: string[]): readonly string[] => {
    const path = join(elsewhere, scene, chat, place.at(-1)!);
    mkdirSync(dirname(path), { recursive: true });
    cpSync(join(homeOf(scene), ...place), path);
    return [...cursor.at!(path, env)].map(({ session }) => session);
  };
  expect(at("ide-2026", user, "globalStorage", "state.vscdb")).toContain("memories");
  expect(at("ide-first-versions", user, "workspaceStorage", "aa11", "state.vscdb")).toEqual([
    "7a000000-0000-4000-8000-000000000001",
    "7b000000-0000-4000-8000-000000000001",
    "notepad-7c000000-0000-4000-8000-000000000001",
  ]);
  const hash = "ce3fa0aa9e98006977055c78d826399a";
  expect(at("cli-store", ".cursor", "chats", hash, chat, "store.db")).toEqual([chat]);
  const other = join(elsewhere, "store.db");
  new Connection(other).exec("create table meta (key, value)");
  expect([...cursor.at!(other, env)]).toEqual([]);
});

test("calls of newer versions name their files, and an edit has the whole file before and after", async () => {
  const home = homeOf("ide-modern");
  const env = envOf(home);
  const ref = [...refsIn(cursor, env).values()].find(({ part }) => part?.startsWith("composer:"))!;
  const call = (name: string, params: object, more: object = {}) => ({
    _v: 3,
    type: 2,
    bubbleId: `c-${name}`,
    text: "",
    toolFormerData: { toolCallId: name, name, status: "completed", rawArgs: "", params, ...more },
  });
  const bubbles = [
    call("read_file_v2", { targetFile: "src/port.ts" }, { result: { contents: "8080" } }),
    call(
      "edit_file_v2",
      { relativeWorkspacePath: "src/port.ts", noCodeblock: true },
      { result: '{"beforeContentId":"composer.content.a","afterContentId":"composer.content.b"}' },
    ),
    call("run_terminal_command_v2", { command: "npm test" }, { result: { rejected: true } }),
  ];
  const database = new Connection(ref.path);
  const put = database.prepare("insert or replace into cursorDiskKV values (?, ?)");
  for (const bubble of bubbles)
    put.run(`bubbleId:${ref.session}:${bubble.bubbleId}`, JSON.stringify(bubble));
  put.run("composer.content.a", "export const port = 8080;\n");
  put.run("composer.content.b", "export const port = 9090;\n");
  database.close();
  const { events, damage } = await readAll(cursor, ref, { allBranches: true });
  expect(damage).toEqual([]);
  const bodies = events.map(({ body }) => body);
  expect(bodies.find(({ type }) => type === "file")).toEqual({
    type: "file",
    path: "src/port.ts",
    action: "modified",
    data: { before: "export const port = 8080;\n", after: "export const port = 9090;\n" },
  });
  const acts = bodies.flatMap((body) =>
    body.type === "tool_use" && body.call.endsWith("_v2") && isObject(body.input)
      ? [cursor.tools!.neutral({ name: body.name, input: body.input })?.act]
      : [],
  );
  expect(acts).toEqual([undefined, "read", "shell"]);
  const refused = bodies.find(
    (body) => body.type === "tool_result" && body.call === "run_terminal_command_v2",
  );
  expect(refused).toMatchObject({ isError: true });
});
