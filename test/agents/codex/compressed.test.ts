import { execFileSync } from "node:child_process";
import { mkdirSync, openSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { decodeZstd } from "../../../src/agents/codex/read/decode-zstd.ts";
import type { SessionRef } from "../../../src/agents/contract.ts";
import { ByteWindow } from "../../../src/base/byte-window.ts";
import { temporaryFolder } from "../../temporary-folder.mjs";
import { readAll, refsIn, rolloutText, said, threadId } from "./store.ts";
import { frame, packed, rawBlocks, repeated, skippable } from "./zstd-files.ts";

const thread = threadId(1);
const name = `rollout-2026-11-15T18-50-19-${thread}.jsonl.zst`;

function written(bytes: Buffer, home = temporaryFolder()): SessionRef {
  const folder = join(home, ".codex", "sessions", "2026", "11", "15");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), bytes);
  return refsIn(home).get(thread)!;
}

const text = Buffer.from(
  rolloutText({ thread, paginated: false }, [
    {
      type: "response_item",
      payload: { type: "message", role: "user", content: [{ type: "input_text", text: "hello" }] },
    },
  ]),
);

/** What reading the home's session takes of memory and time, in a process of its own. */
function costOf(home: string, env: NodeJS.ProcessEnv = {}) {
  const child = join(import.meta.dirname, "../bounds/children/read-cost.mjs");
  const told = execFileSync(process.execPath, [child, home, "codex", "live"], {
    encoding: "utf8",
    env: { ...process.env, ...env },
  });
  return JSON.parse(told) as {
    readonly peakMb: number;
    readonly costs: { readonly live: { readonly ms: number; readonly damage: number } };
  };
}

test("frames, small blocks and frames to be skipped are one session", async () => {
  const half = text.length >> 1;
  const ref = written(
    Buffer.concat([
      skippable(Buffer.from("{not a record}")),
      frame(rawBlocks(text.subarray(0, half), { size: 7 })),
      skippable(Buffer.alloc(0)),
      skippable(Buffer.alloc(70_000)),
      frame(rawBlocks(text.subarray(half))),
      frame(rawBlocks(Buffer.alloc(0))),
    ]),
  );
  const { events, damage } = await readAll(ref);
  expect(damage).toEqual([]);
  expect(said(events)).toEqual(["user: hello"]);
});

test("very many frames are no deep recursion", async () => {
  const empty = Array.from({ length: 20_000 }, () => skippable(Buffer.alloc(0)));
  const none = Array.from({ length: 20_000 }, () =>
    frame(rawBlocks(Buffer.alloc(0)), { windowLog: 10 }),
  );
  const ref = written(Buffer.concat([...empty, ...none, frame(rawBlocks(text))]));
  const { events, damage } = await readAll(ref);
  expect(damage).toEqual([]);
  expect(said(events)).toEqual(["user: hello"]);
});

test("a window larger than any decoder must have is refused before it is made", async () => {
  const home = temporaryFolder();
  const ref = written(frame(rawBlocks(text), { windowLog: 30 }), home);
  const { events, damage } = await readAll(ref);
  expect(events).toEqual([]);
  expect(damage).toMatchObject([{ kind: "too_large", detail: expect.stringContaining("window") }]);
  expect(costOf(home).peakMb).toBeLessThan(200);
});

test("a small file that unpacks to gigabytes is refused before it is unpacked", () => {
  const home = temporaryFolder();
  const blocks = Array.from({ length: 66_000 }, () => repeated(0x7b, 128 * 1024));
  written(frame([...blocks, repeated(0x7b, 1, { last: true })]), home);
  const temporary = temporaryFolder();
  const { peakMb, costs } = costOf(home, { TMPDIR: temporary });
  expect(costs.live.damage).toBe(1);
  expect(costs.live.ms).toBeLessThan(2_000);
  expect(peakMb).toBeLessThan(200);
  expect(readdirSync(temporary)).toEqual([]);
});

test("what headers do not show is refused when it is over the limit", async () => {
  const bytes = frame([
    packed(0x7b, 131_000),
    packed(0x7b, 131_000),
    packed(0x7b, 9, { last: true }),
  ]);
  const { path } = written(bytes);
  const file = new ByteWindow(openSync(path, "r"), bytes.length);
  let taken = 0;
  const take = (piece: Uint8Array): void => {
    taken += piece.length;
  };
  await decodeZstd(file, take);
  expect(taken).toBe(262_009);
  taken = 0;
  await expect(decodeZstd(file, take, { mostBytes: 200_000 })).rejects.toMatchObject({
    code: "too_large",
  });
  expect(taken).toBe(131_000);
});

test("many small blocks in a large window do not take hours", () => {
  const home = temporaryFolder();
  const blocks = Array.from({ length: 200_000 }, () => repeated(0x7b, 1));
  written(frame([...blocks, repeated(0x7b, 1, { last: true })], { windowLog: 23 }), home);
  const { costs } = costOf(home);
  expect(costs.live.damage).toBe(1);
  expect(costs.live.ms).toBeLessThan(20_000);
});

test("where there is no room to decode, that is said", async () => {
  const ref = written(frame(rawBlocks(text)));
  const before = process.env["TMPDIR"];
  // A file system on which nothing can be free.
  process.env["TMPDIR"] = "/proc";
  try {
    const { events, damage } = await readAll(ref);
    expect(events).toEqual([]);
    expect(damage).toMatchObject([
      { kind: "unreadable", detail: expect.stringContaining("/proc") },
    ]);
  } finally {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
  }
});
