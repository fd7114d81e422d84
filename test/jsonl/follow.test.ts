import { appendFileSync, renameSync, truncateSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { follow } from "../../src/jsonl/follow.ts";
import { temporaryFolder } from "../temporary-folder.mjs";

const folder = temporaryFolder();

let files = 0;
function file(content?: string): string {
  files += 1;
  const path = join(folder, `${files}.jsonl`);
  if (content !== undefined) writeFileSync(path, content);
  return path;
}

/** Follows a file and hands out what it says one by one. */
function following(path: string, from?: number) {
  const stop = new AbortController();
  const news = follow(path, {
    signal: stop.signal,
    pollMs: 10,
    ...(from === undefined ? {} : { from }),
  });
  return {
    next: async (): Promise<string | undefined> => {
      const { value, done } = await news.next();
      if (done) return undefined;
      return value.kind === "line" ? `${value.offset}:${value.bytes.toString()}` : value.kind;
    },
    stop: () => stop.abort(),
  };
}

test("lines appear as they are written, each once", async () => {
  const path = file("one\n");
  const reader = following(path);
  expect(await reader.next()).toBe("0:one");
  appendFileSync(path, "two\nthree\n");
  expect([await reader.next(), await reader.next()]).toEqual(["4:two", "8:three"]);
  reader.stop();
  expect(await reader.next()).toBeUndefined();
});

test("a line that is still being written is not shown before its end", async () => {
  const path = file("one\ntw");
  const reader = following(path);
  expect(await reader.next()).toBe("0:one");
  const pending = reader.next();
  appendFileSync(path, "o\n");
  expect(await pending).toBe("4:two");
  reader.stop();
});

test("following goes on from a given offset", async () => {
  const reader = following(file("one\ntwo\n"), 4);
  expect(await reader.next()).toBe("4:two");
  reader.stop();
});

test("a truncated file is read again from its beginning", async () => {
  const path = file("one\ntwo\n");
  const reader = following(path);
  expect([await reader.next(), await reader.next()]).toEqual(["0:one", "4:two"]);
  const pending = reader.next();
  truncateSync(path, 0);
  expect(await pending).toBe("restarted");
  appendFileSync(path, "new\n");
  expect(await reader.next()).toBe("0:new");
  reader.stop();
});

test("a file put in its place is read from its beginning, after the rest of the old one", async () => {
  const path = file("one\n");
  const reader = following(path);
  expect(await reader.next()).toBe("0:one");
  appendFileSync(path, "late\n");
  const other = file("a much longer first line than before\n");
  renameSync(other, path);
  expect([await reader.next(), await reader.next(), await reader.next()]).toEqual([
    "4:late",
    "restarted",
    "0:a much longer first line than before",
  ]);
  reader.stop();
});

test("a file that is deleted and made again is a new one", async () => {
  const path = file("one\n");
  const reader = following(path);
  expect(await reader.next()).toBe("0:one");
  unlinkSync(path);
  writeFileSync(path, "one\ntwo\n");
  expect([await reader.next(), await reader.next()]).toEqual(["restarted", "0:one"]);
  reader.stop();
});

test("a file that is not there yet is waited for", async () => {
  const path = file();
  const reader = following(path);
  const pending = reader.next();
  writeFileSync(path, "one\n");
  expect(await pending).toBe("0:one");
  reader.stop();
});

test("an abort ends the wait at once and the reading between two lines", async () => {
  const waiting = following(file(""));
  const pending = waiting.next();
  waiting.stop();
  expect(await pending).toBeUndefined();

  const reading = following(file("one\ntwo\n"));
  expect(await reading.next()).toBe("0:one");
  reading.stop();
  expect(await reading.next()).toBeUndefined();
});
