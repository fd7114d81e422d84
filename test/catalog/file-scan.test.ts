import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { needleIn } from "../../src/catalog/byte-scan.ts";
import { FileScan, ScanThreads } from "../../src/catalog/file-scan.ts";
import { program } from "../e2e/program.ts";

const folder = mkdtempSync(join(tmpdir(), "reprise-file-scan-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const needle = needleIn("needle", false)!;
const thread = join(dirname(program), "program", "scan-thread.js");
const muchBytes = 1024 * 1024 * 1024;
const expected = Array.from({ length: 200 }, (_, number) => number % 7 === 3);
const tasks = expected.map((has, number) => {
  const file = join(folder, `${number}.jsonl`);
  writeFileSync(file, `${"hay ".repeat(5_000)}${has ? "NEEDLE" : "hay"}`);
  return { files: [file] };
});

async function told(threads: ScanThreads | undefined): Promise<readonly boolean[]> {
  const scan = new FileScan(tasks, needle, threads);
  const found: boolean[] = [];
  for (const task of tasks.keys()) found.push(await scan.mayHold(task));
  return found;
}

test("files are told apart alike with and without other threads", async () => {
  expect(await told(undefined)).toEqual(expected);
  const threads = await ScanThreads.start(thread, muchBytes);
  expect(await told(threads)).toEqual(expected);
  threads?.stop();
});

test("a thread that fails costs nothing but time", async () => {
  const broken = join(folder, "broken.cjs");
  writeFileSync(
    broken,
    `require("node:worker_threads").parentPort.once("message", ({ shared }) => {
      const states = new Int32Array(shared);
      Atomics.store(states, 1 + Atomics.add(states, 0, 1), 1);
      throw new Error("broken");
    });`,
  );
  const threads = await ScanThreads.start(broken, muchBytes);
  expect(await told(threads)).toEqual(expected);
});

test("few bytes are worth no thread, and threads take work once", async () => {
  expect(await ScanThreads.start(thread, 1024)).toBeUndefined();
  const threads = await ScanThreads.start(thread, muchBytes);
  expect(threads?.isFree).not.toBe(false);
  const scan = new FileScan(tasks, needle, threads);
  expect(threads?.isFree).not.toBe(true);
  scan.stop();
  threads?.stop();
});
