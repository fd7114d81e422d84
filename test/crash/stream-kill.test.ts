import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { plainText } from "../../src/model/block.ts";
import { SessionManager } from "../../src/store/session-manager.ts";
import { seeded } from "../random.mjs";
import { temporaryFolder } from "../temporary-folder.mjs";

const streamer = fileURLToPath(new URL("children/streamer.mjs", import.meta.url));
const kills = 200;
const atOnce = 20;
const promisedMs = 250;

/** Kills one child at a random instant of its stream; returns the words it must not have lost, and those it had said. */
async function killOne(
  folder: string,
  round: number,
  seed: number,
): Promise<{ readonly owed: number; readonly said: number }> {
  const random = seeded(seed, round);
  const name = `s${round}`;
  const pace = [random.pick([1, 3, 10, 40]), random.pick([1, 5, 60])].map(String);
  const child = spawn(process.execPath, [streamer, folder, name, ...pace], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout!, "data");
  await wait(random.below(650));
  child.kill("SIGKILL");
  await once(child, "close");
  const given = readFileSync(join(folder, `${name}.given`), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.split(" "))
    .map(([word, at]) => ({ word: Number(word), atMs: Number(BigInt(at!) / 1000n) / 1000 }));
  const last = given.at(-1);
  // It last ran when it said its last word: what the machine kept it waiting for after that is not its own.
  const old = given.findLast(({ atMs }) => atMs < last!.atMs - promisedMs);
  return { owed: old?.word ?? 0, said: last?.word ?? 0 };
}

test("a stream killed at any of 200 instants keeps every word older than 250 ms, each once", async () => {
  const seed = Date.now() % 1_000_000;
  const folder = temporaryFolder();
  let owing = 0;
  for (let from = 0; from < kills; from += atOnce) {
    const rounds = Array.from({ length: atOnce }, (_, index) => from + index);
    const found = await Promise.all(rounds.map((round) => killOne(folder, round, seed)));
    for (const [index, { owed, said }] of found.entries()) {
      const round = from + index;
      const where = `seed ${seed}, round ${round}`;
      const session = SessionManager.open(join(folder, `s${round}.jsonl`));
      const words = session
        .path()
        .flatMap((event) =>
          event.type === "assistant" || event.type === "thinking" ? [plainText(event.content)] : [],
        )
        .join("")
        .split(" ")
        .filter((word) => word !== "")
        .map(Number);
      expect(words, where).toEqual(words.map((_, at) => at + 1));
      expect(words.length, where).toBeGreaterThanOrEqual(owed);
      expect(words.length, where).toBeLessThanOrEqual(said);
      if (owed > 0) owing += 1;
      await session.close();
    }
  }
  // Most were killed in the middle of a stream.
  expect(owing).toBeGreaterThan(kills / 3);
});
