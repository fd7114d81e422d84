import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { failpoints } from "../../src/base/failpoint.ts";
import { verifyLog } from "../../src/log/verify.ts";
import { SessionManager } from "../../src/store/session-manager.ts";
import { temporaryFolder } from "../temporary-folder.mjs";
import { storm } from "./storm.mjs";

const scenario = fileURLToPath(new URL("children/scenario.mjs", import.meta.url));

interface Ack {
  readonly session: string;
  readonly id: number;
  readonly nonce: string;
}

function run(folder: string, failpoint?: string) {
  const { stdout, stderr, signal, status } = spawnSync(process.execPath, [scenario, folder], {
    env: { ...process.env, ...(failpoint !== undefined && { REPRISE_FAILPOINT: failpoint }) },
    encoding: "utf8",
  });
  const acks = stdout
    .split("\n")
    .filter((line) => line.startsWith("ack "))
    .map((line): Ack => {
      const [, session, id, nonce] = line.split(" ");
      return { session: session!, id: Number(id), nonce: nonce! };
    });
  return { acks, signal, status, stderr, done: stdout.endsWith("done\n") };
}

/** Every acknowledged event can be read under its id, or under a new one that names the old. */
async function missing(folder: string, acks: readonly Ack[]): Promise<readonly Ack[]> {
  const lost: Ack[] = [];
  for (const name of new Set(acks.map(({ session }) => session))) {
    const session = SessionManager.open(join(folder, `${name}.jsonl`));
    const texts = new Map<number, string>();
    for await (const event of session.events())
      texts.set(event.recoveredFrom ?? event.id, JSON.stringify(event));
    await session.close();
    lost.push(
      ...acks.filter((ack) => ack.session === name && !texts.get(ack.id)?.includes(ack.nonce)),
    );
  }
  return lost;
}

/** Appends to every session, then verifies it: a torn tail is mended by whoever writes next. */
async function problems(folder: string): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  for (const name of readdirSync(folder).filter((entry) => entry.endsWith(".jsonl"))) {
    const session = SessionManager.open(join(folder, name));
    await session.note("after the crash");
    const { base } = session.getHeader();
    await session.close();
    const fd = openSync(join(folder, name), "r");
    const verified = verifyLog(fd, { firstId: (base?.event ?? 0) + 1, firstSum: base?.sum ?? "" });
    closeSync(fd);
    found.push(...verified.problems);
    if (verified.unfinishedBytes > 0)
      found.push(`${name}: ${verified.unfinishedBytes} unfinished bytes`);
  }
  return found;
}

function freshFolder(): string {
  const folder = temporaryFolder();
  return folder;
}

/** Leaves a session with acknowledged events, a hole and a torn tail behind them. */
async function damagedSession(folder: string): Promise<readonly Ack[]> {
  const { acks, done } = run(folder);
  expect(done).toBe(true);
  const file = join(folder, "s.jsonl");
  const session = SessionManager.open(file);
  const last = session.appendSync({ type: "note", content: "before the hole" });
  const cut = session.appendSync({ type: "note", content: "in the hole" });
  const after = session.appendSync({ type: "note", content: "after the hole" });
  await session.close();
  const fd = openSync(file, "r+");
  // A page that never reached the disk: NULs where the line was.
  const text = `"in the hole"`;
  const at = readFileSync(file).lastIndexOf(text);
  writeSync(fd, Buffer.alloc(text.length), 0, text.length, at);
  closeSync(fd);
  appendFileSync(file, '{"id":99,"parent":98,"at":"2026-11-1');
  expect(cut.id).toBe(last.id + 1);
  return [
    ...acks,
    { session: "s", id: last.id, nonce: "before the hole" },
    { session: "s", id: after.id, nonce: "after the hole" },
  ];
}

/** What a removal that was killed leaves behind, until the next one. */
const isLeaving = (name: string) => !name.endsWith(".jsonl");

test.each(failpoints)("a kill at %s loses nothing that was acknowledged", async (failpoint) => {
  let reached = 0;
  // Reached at its first, third and fifth visit: a new file, a file in use, another session.
  for (const visit of [1, 3, 5]) {
    const folder = freshFolder();
    const needsDamage = failpoint.startsWith("mend.");
    const before = needsDamage ? await damagedSession(folder) : [];
    const killed = run(folder, `${failpoint}:${visit}`);
    if (killed.signal !== "SIGKILL") {
      expect(killed.done, killed.stderr).toBe(true);
      continue;
    }
    reached += 1;
    expect(await missing(folder, [...before, ...killed.acks])).toEqual([]);
    const again = run(folder);
    expect(again.done, again.stderr).toBe(true);
    expect(await missing(folder, [...before, ...killed.acks, ...again.acks])).toEqual([]);
    expect(await problems(folder)).toEqual([]);
    expect(readdirSync(join(folder, ".reprise", "bases")).filter(isLeaving)).toEqual([]);
  }
  expect(reached).toBeGreaterThan(0);
});

test("200 kills at random instants: everything acknowledged is there and the chain verifies", async () => {
  const seed = 20_261_115;
  const totals = await storm({ rounds: 200, seed, jobs: 2 });
  expect(totals.problems, `seed ${seed}`).toEqual([]);
  expect(totals.rounds).toBe(200);
  expect(totals.lost).toBe(0);
  expect(totals.acknowledged).toBeGreaterThan(200);
}, 240_000);

test("the scenario itself runs through on an empty folder", async () => {
  const folder = freshFolder();
  writeFileSync(join(folder, "unrelated.txt"), "stays");
  expect(run(folder).done).toBe(true);
  expect(await problems(folder)).toEqual([]);
});
