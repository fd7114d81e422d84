import { execFileSync } from "node:child_process";
import { createCipheriv } from "node:crypto";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import type { SessionRef } from "../../../src/agents/contract.ts";
import { langgraph } from "../../../src/agents/langgraph/index.ts";
import { decryptEax } from "../../../src/agents/langgraph/read/eax.ts";
import { decodeMsgpack } from "../../../src/agents/langgraph/read/msgpack.ts";
import { Connection } from "../../../src/sqlite/connection.ts";
import { temporaryFolder } from "../../temporary-folder.mjs";
import { assertSurvives } from "../kit/survives.ts";
import { environmentIn, fixtureOf, projectOf, readThread, threadsOf } from "./threads.ts";

afterEach(() => {
  delete process.env["LANGGRAPH_AES_KEY"];
});

/** A database with one checkpoint. */
function databaseWith(type: string, checkpoint: Uint8Array): SessionRef {
  const cwd = temporaryFolder();
  const database = new Connection(join(cwd, "checkpoints.db"));
  database.exec(`create table checkpoints (thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, type,
    checkpoint, metadata, primary key (thread_id, checkpoint_ns, checkpoint_id))`);
  const id = "1f1e128c-0d19-6c60-ffff-b34772bf5b0d";
  database
    .prepare("insert into checkpoints values ('t', '', ?, null, ?, ?, '{}')")
    .run(id, type, checkpoint);
  database.close();
  return threadsOf(environmentIn(cwd)).get("t")!;
}

const databases = [
  { version: "js-1.0.4", name: "checkpoints.db", thread: "acme-agent-1" },
  { version: "py-3.1.1", name: "checkpoints.sqlite", thread: "thread-1" },
];

test.each(databases)(
  "250 damaged databases of $version are read without a throw or a hang",
  async ({ version, name, thread }) => {
    await assertSurvives({
      agent: langgraph,
      kind: "sqlite",
      sources: [join(fixtureOf(version), name)],
      rounds: 250,
      ref: (path, root) => ({
        agent: "langgraph",
        session: thread,
        path,
        part: thread,
        root,
        sizeBytes: 0,
        modifiedMs: 0,
      }),
    });
  },
  60_000,
);

test("where the newest checkpoint is damaged the one before it is read", async () => {
  const env = projectOf("js-1.0.4");
  const database = new Connection(join(env.cwd, "checkpoints.db"));
  database.exec(`update checkpoints set checkpoint = x'7b22' where checkpoint_id =
    (select max(checkpoint_id) from checkpoints where thread_id = 'acme-failed-1')`);
  database.close();
  const { events, damage } = await readThread(threadsOf(env).get("acme-failed-1")!);
  expect(damage).toHaveLength(1);
  expect(events).toHaveLength(1);
});

test("a hostile pickle is never executed: it is opaque, and what it would do is not done", async () => {
  const canary = join(temporaryFolder(), "executed");
  const pickle = Buffer.from(`cos\nsystem\n(S'touch ${canary}'\ntR.`);
  // In an extension that names a callable, too.
  const call = ["os", "system", [`touch ${canary}`]];
  for (const [type, bytes] of [
    ["pickle", pickle],
    ["msgpack", packed({ channel_values: { messages: { extension: 1, value: call } } })],
    [
      "json",
      Buffer.from(
        JSON.stringify({
          channel_values: {
            messages: [{ lc: 2, type: "constructor", id: ["os"], method: "system", args: call }],
          },
        }),
      ),
    ],
  ] as const) {
    const ref = databaseWith(type, bytes);
    await readThread(ref, { allBranches: true });
    langgraph.head(ref, environmentIn("/nowhere"));
  }
  expect(existsSync(canary)).toBe(false);
  // The canary itself works.
  execFileSync("sh", ["-c", `touch ${canary}`]);
  expect(existsSync(canary)).toBe(true);
});

test("what is sealed is opened with the key LangGraph takes, and opaque without it or with another", async () => {
  const message = {
    extension: 5,
    value: ["langchain_core.messages.human", "HumanMessage", { content: "secret word", id: "h" }],
  };
  const plain = packed({
    ts: "2026-11-15T10:00:00+00:00",
    channel_values: { messages: [message] },
  });
  const key = "0123456789abcdef";
  const ref = databaseWith("msgpack+aes", sealedEax(plain, Buffer.from(key)));
  expect((await readThread(ref)).damage).toMatchObject([{ kind: "bad_record" }]);
  process.env["LANGGRAPH_AES_KEY"] = "fedcba9876543210";
  expect((await readThread(ref)).events).toEqual([]);
  process.env["LANGGRAPH_AES_KEY"] = key;
  expect((await readThread(ref)).events.map(({ body }) => body)).toEqual([
    { type: "user", content: "secret word" },
  ]);
});

test("AES in EAX mode is as its paper's test vectors say", () => {
  const key = Buffer.from("8395FCF1E95BEBD697BD010BC766AAC3", "hex");
  // Without a header: made by the definition, with the sums of the paper's own key.
  const text = Buffer.from("CA40D7446E545FFAED3BD12A740A659FFBBB3CEAB7", "hex");
  expect(decryptEax(sealedEax(text, key), key)).toEqual(text);
  expect(decryptEax(Buffer.alloc(64), key)).toBeUndefined();
  expect(decryptEax(Buffer.alloc(8), key)).toBeUndefined();
});

test("msgpack that is deep, heavy, cut or lies about its length is refused, not followed", () => {
  const deep = Buffer.alloc(100_000, 0x91);
  const heavy = Buffer.from([0xdd, 0xff, 0xff, 0xff, 0xff]);
  const long = Buffer.from([0xdb, 0xff, 0xff, 0xff, 0xff, 0x61]);
  for (const bytes of [
    deep,
    heavy,
    long,
    Buffer.from([0xc1]),
    Buffer.alloc(0),
    Buffer.from([0xc0, 0xc0]),
  ])
    expect(() => decodeMsgpack(bytes)).toThrow(RangeError);
  const polluted = decodeMsgpack(packed(JSON.parse('{"__proto__": {"polluted": true}}'))) as object;
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  expect(Object.keys(polluted)).toEqual(["__proto__"]);
});

test("a database of another program is not taken for one of checkpoints", () => {
  const cwd = temporaryFolder();
  mkdirSync(join(cwd, ".langgraph"));
  const database = new Connection(join(cwd, "checkpoints.db"));
  database.exec("create table checkpoints (id, name)");
  database.close();
  writeFileSync(join(cwd, ".langgraph", "notes.sqlite"), "no database at all");
  expect(
    [...langgraph.locate(environmentIn(cwd))].filter(
      (ref) => langgraph.head(ref, environmentIn(cwd))?.problem === undefined,
    ),
  ).toEqual([]);
});

/** A value as msgpack; `{ extension, value }` becomes an extension. */
function packed(value: unknown): Buffer {
  if (value === null) return Buffer.from([0xc0]);
  if (typeof value === "number") return Buffer.from([value & 0x7f]);
  if (typeof value === "boolean") return Buffer.from([value ? 0xc3 : 0xc2]);
  if (typeof value === "string") {
    const bytes = Buffer.from(value);
    const length = Buffer.alloc(5, 0xdb);
    length.writeUInt32BE(bytes.length, 1);
    return Buffer.concat([length, bytes]);
  }
  if (Array.isArray(value))
    return Buffer.concat([Buffer.from([0x90 | value.length]), ...value.map(packed)]);
  const object = value as Record<string, unknown>;
  if (typeof object["extension"] === "number") {
    const inner = packed(object["value"]);
    const length = Buffer.alloc(6, 0xc9);
    length.writeUInt32BE(inner.length, 1);
    length[5] = object["extension"];
    return Buffer.concat([length, inner]);
  }
  const entries = Object.entries(object).flatMap(([name, inner]) => [packed(name), packed(inner)]);
  return Buffer.concat([Buffer.from([0x80 | (entries.length / 2)]), ...entries]);
}

/** The same construction the other way round, by its definition, independent of the reader's code. */
function sealedEax(plain: Buffer, key: Buffer): Buffer {
  const nonce = Buffer.from("62EC67F9C3A4A407FCB2A8C49031A8B3", "hex");
  const name = `aes-${key.length * 8}`;
  const block = (bytes: Buffer): Buffer =>
    createCipheriv(`${name}-ecb`, key, null).setAutoPadding(false).update(bytes);
  const twice = (bytes: Buffer): Buffer => {
    const value = BigInt(`0x${bytes.toString("hex")}`);
    const shifted = (value << 1n) & ((1n << 128n) - 1n);
    const reduced = value >> 127n === 1n ? shifted ^ 0x87n : shifted;
    return Buffer.from(reduced.toString(16).padStart(32, "0"), "hex");
  };
  const mac = (use: number, bytes: Buffer): Buffer => {
    const tweak = Buffer.alloc(16);
    tweak[15] = use;
    const all = Buffer.concat([tweak, bytes]);
    const once = twice(block(Buffer.alloc(16)));
    let state: Buffer = Buffer.alloc(16);
    for (let at = 0; at < all.length; at += 16) {
      let piece = all.subarray(at, at + 16);
      if (at + 16 >= all.length) {
        const isWhole = piece.length === 16;
        if (!isWhole)
          piece = Buffer.concat([piece, Buffer.from([0x80]), Buffer.alloc(15 - piece.length)]);
        const mask = isWhole ? once : twice(once);
        piece = Buffer.from(piece.map((byte, index) => byte ^ mask[index]!));
      }
      state = block(Buffer.from(state.map((byte, index) => byte ^ piece[index]!)));
    }
    return state;
  };
  const start = mac(0, nonce);
  const hidden = createCipheriv(`${name}-ctr`, key, start).update(plain);
  const sums = [start, mac(1, Buffer.alloc(0)), mac(2, hidden)];
  const tag = Buffer.from(
    start.map((_, index) => sums[0]![index]! ^ sums[1]![index]! ^ sums[2]![index]!),
  );
  return Buffer.concat([nonce, tag, hidden]);
}
