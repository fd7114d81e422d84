import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { FileScan } from "../../src/catalog/scan/file-scan.ts";
import { needleIn } from "../../src/catalog/scan/needle.ts";
import { program } from "../e2e/program.ts";
import { temporaryFolder } from "../temporary-folder.mjs";

const folder = temporaryFolder();

const needle = needleIn("needle", false)!;
const thread = join(dirname(program), "program", "scan-thread.js");
const muchBytes = 1024 * 1024 * 1024;
const expected = Array.from({ length: 200 }, (_, number) => number % 7 === 3);
const tasks = expected.map((has, number) => {
  const file = join(folder, `${number}.jsonl`);
  writeFileSync(file, `${"hay ".repeat(5_000)}${has ? "NEEDLE" : "hay"}`);
  return { files: [file] };
});

async function told(worker?: string): Promise<readonly boolean[]> {
  const scan = await FileScan.start(tasks, needle, {
    bytes: muchBytes,
    ...(worker !== undefined && { worker }),
  });
  const found: boolean[] = [];
  for (const task of tasks.keys()) found.push(await scan.mayHold(task));
  return found;
}

test("files are told apart alike with and without other threads", async () => {
  expect(await told()).toEqual(expected);
  expect(await told(thread)).toEqual(expected);
});

test("a thread that fails costs nothing but time", async () => {
  const broken = join(folder, "broken.cjs");
  writeFileSync(
    broken,
    `const { shared } = require("node:worker_threads").workerData;
    const states = new Int32Array(shared);
    Atomics.store(states, 1 + Atomics.add(states, 0, 1), 1);
    throw new Error("broken");`,
  );
  expect(await told(broken)).toEqual(expected);
});

test("what nobody took when it stopped is still told to who asks", async () => {
  const scan = await FileScan.start(tasks, needle, { bytes: muchBytes });
  scan.stop();
  expect(await scan.mayHold(3)).toBe(true);
  expect(await scan.mayHold(4)).toBe(false);
});
