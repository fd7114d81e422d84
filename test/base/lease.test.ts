import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterEach, expect, onTestFinished, test } from "vitest";
import { holderLife, type LeaseHolder, parseHolder, thisHolder } from "../../src/base/holder.ts";
import {
  type Lease,
  liveHolder,
  takeLease,
  takeLeaseSync,
  tryLease,
} from "../../src/base/lease.ts";
import { limits } from "../../src/base/limits.ts";
import { temporaryFolder } from "../temporary-folder.mjs";

const root = temporaryFolder();

const built = fileURLToPath(new URL("../../dist/rooms", import.meta.url));
const moduleUrl = pathToFileURL(join(built, "base/lease.js")).href;
const taker = fileURLToPath(new URL("./children/lease-taker.mjs", import.meta.url));

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

async function child(environment: Readonly<Record<string, string>> = {}): Promise<ChildProcess> {
  const started = fork(taker, [moduleUrl], { env: { ...process.env, ...environment } });
  children.push(started);
  await once(started, "message");
  return started;
}

async function order(to: ChildProcess, message: Readonly<Record<string, unknown>>): Promise<void> {
  const answer = once(to, "message");
  to.send(message);
  await answer;
}

let folders = 0;
function newFolder(): string {
  folders += 1;
  const folder = join(root, String(folders), "leases");
  mkdirSync(folder, { recursive: true });
  return folder;
}

const own = thisHolder();
/** Our own pid, started at another time: what a lease looks like after its pid was reused. */
const dead: LeaseHolder = { ...own, startTime: "1", nonce: "dead" };
const foreign: LeaseHolder = { ...own, host: "elsewhere/1", nonce: "foreign" };

function plant(folder: string, content: string | LeaseHolder, number = 1): string {
  const path = join(folder, `session.lease.${number}`);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

function setBeat(path: string, agoMs: number): void {
  const at = new Date(Date.now() - agoMs);
  utimesSync(path, at, at);
}

function taken(folder: string): Lease {
  const attempt = tryLease({ folder, name: "session" });
  if (!attempt.taken) throw new Error(`held by ${JSON.stringify(attempt.holder)}`);
  return attempt.lease;
}

/** Begin and end marks must alternate, each pair from one process. */
function overlaps(marks: string): number {
  const lines = readFileSync(marks, "utf8").trimEnd().split("\n");
  let wrong = lines.length % 2;
  for (let index = 0; index + 1 < lines.length; index += 2) {
    const [begin, end] = [lines[index]!, lines[index + 1]!];
    if (!begin.startsWith("begin ") || end !== begin.replace("begin", "end")) wrong += 1;
  }
  return wrong;
}

test("a free lease is taken, names its holder, and leaves nothing behind when released", () => {
  const folder = join(newFolder(), "not", "there", "yet");
  const lease = taken(folder);
  expect(readdirSync(folder)).toEqual(["session.lease.1"]);
  expect(statSync(join(folder, "session.lease.1")).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(parseHolder(readFileSync(join(folder, "session.lease.1"), "utf8"))).toEqual(lease.holder);
  expect(liveHolder({ folder, name: "session" })).toEqual(lease.holder);
  expect(lease.isKept()).toBe(true);
  lease.release();
  lease.release();
  expect(readdirSync(folder)).toEqual([]);
  expect(liveHolder({ folder, name: "session" })).toBeUndefined();
  expect(lease.isKept()).toBe(false);
});

test("a second taker in the same process is told who holds it", () => {
  const folder = newFolder();
  const lease = taken(folder);
  expect(tryLease({ folder, name: "session" })).toEqual({ taken: false, holder: lease.holder });
  expect(tryLease({ folder, name: "session.2" }).taken).toBe(true);
  lease.release();
});

test("three processes that race for one dead lease never hold it together, in 1,000 rounds", async () => {
  const racers = await Promise.all([child(), child(), child()]);
  const marks = join(root, "race-marks");
  let leftovers = 0;
  for (let round = 0; round < 1000; round += 1) {
    const folder = join(root, "races", String(round));
    mkdirSync(folder, { recursive: true });
    plant(folder, dead);
    const startAt = (process.hrtime.bigint() + 700_000n).toString();
    await Promise.all(racers.map((to) => order(to, { do: "hold", folder, marks, startAt })));
    leftovers += readdirSync(folder).length;
  }
  expect(overlaps(marks)).toBe(0);
  expect(readFileSync(marks, "utf8").trimEnd().split("\n")).toHaveLength(6000);
  expect(leftovers).toBe(0);
});

test("eight processes with 500 cycles each exclude one another", async () => {
  const folder = newFolder();
  const marks = join(root, "cycle-marks");
  const cyclers = await Promise.all(Array.from({ length: 8 }, () => child()));
  await Promise.all(cyclers.map((to) => order(to, { do: "hold", times: 500, folder, marks })));
  expect(overlaps(marks)).toBe(0);
  expect(readFileSync(marks, "utf8").trimEnd().split("\n")).toHaveLength(8000);
  expect(readdirSync(folder)).toEqual([]);
});

test("a holder killed with SIGKILL frees the lease at once", async () => {
  const folder = newFolder();
  const holder = await child();
  await order(holder, { do: "keep", folder });
  expect(liveHolder({ folder, name: "session" })?.pid).toBe(holder.pid);
  expect(tryLease({ folder, name: "session" }).taken).toBe(false);
  const gone = once(holder, "exit");
  holder.kill("SIGKILL");
  await gone;
  const lease = taken(folder);
  // The dead one was passed over by the next number, then cleared away.
  expect(readdirSync(folder)).toEqual(["session.lease.2"]);
  lease.release();
});

test("a waiter gives up after its time with session_busy, naming the holder's pid and host", async () => {
  const folder = newFolder();
  const holder = await child();
  await order(holder, { do: "keep", folder });
  const expected = {
    code: "session_busy",
    message: expect.stringContaining(`process ${holder.pid} on `),
    details: { pid: holder.pid, host: own.host },
  };
  const before = performance.now();
  await expect(takeLease({ folder, name: "session" }, { waitMs: 60 })).rejects.toMatchObject(
    expected,
  );
  expect(performance.now() - before).toBeGreaterThanOrEqual(59);
  let thrown: unknown;
  try {
    takeLeaseSync({ folder, name: "session" }, { waitMs: 30 });
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toMatchObject(expected);
});

test("a waiter gets the lease when the holder releases it", async () => {
  const folder = newFolder();
  const holder = await child();
  await order(holder, { do: "keep", folder });
  const waiting = takeLease({ folder, name: "session" });
  await order(holder, { do: "release" });
  (await waiting).release();
});

test("an aborted waiter stops waiting and takes nothing", async () => {
  const folder = newFolder();
  const lease = taken(folder);
  const abort = new AbortController();
  const waiting = takeLease({ folder, name: "session" }, { signal: abort.signal });
  abort.abort();
  await expect(waiting).rejects.toMatchObject({ name: "AbortError" });
  lease.release();
  expect(readdirSync(folder)).toEqual([]);
});

test.each([
  ["an empty lease", ""],
  ["a lease cut short", '{"host":"lap'],
  ["a lease with a pid that addresses a group", JSON.stringify({ ...own, pid: -1 })],
  ["a lease of another host", JSON.stringify(foreign)],
  ["a lease whose start time was not known", JSON.stringify({ ...own, startTime: undefined })],
  [
    "a lease of another boot, perhaps of a copy of this machine",
    JSON.stringify({ ...own, bootId: "b" }),
  ],
])("%s holds while its heartbeat is young and is passed over when it is old", (_, content) => {
  const folder = newFolder();
  const path = plant(folder, content);
  expect(tryLease({ folder, name: "session" }).taken).toBe(false);
  setBeat(path, limits.leaseStaleMs - 5_000);
  expect(tryLease({ folder, name: "session" }).taken).toBe(false);
  expect(liveHolder({ folder, name: "session" })).toBeDefined();
  setBeat(path, limits.leaseStaleMs + 1_000);
  expect(liveHolder({ folder, name: "session" })).toBeUndefined();
  const lease = taken(folder);
  // Not certainly dead, so it is not removed.
  expect(readdirSync(folder).sort()).toEqual(["session.lease.1", "session.lease.2"]);
  lease.release();
  expect(readdirSync(folder)).toEqual(["session.lease.1"]);
});

test.each([
  ["a process that is gone", { ...own, pid: 2 ** 22 + 1 }],
  ["a reused pid", dead],
])("the lease of %s is free at once, however young its heartbeat", (_, holder) => {
  const folder = newFolder();
  plant(folder, holder);
  expect(liveHolder({ folder, name: "session" })).toBeUndefined();
  const lease = taken(folder);
  expect(readdirSync(folder)).toEqual(["session.lease.2"]);
  lease.release();
});

test("a live holder that can be examined keeps its lease however old its heartbeat", () => {
  const folder = newFolder();
  const path = plant(folder, own);
  setBeat(path, 3_600_000);
  expect(tryLease({ folder, name: "session" }).taken).toBe(false);
  expect(holderLife(own)).toBe("alive");
});

test("after the clock was set back, a lease of the future holds and then ages as usual", () => {
  const folder = newFolder();
  const path = plant(folder, foreign);
  setBeat(path, -365 * 24 * 3_600_000);
  const future = statSync(path).mtimeMs;
  expect(liveHolder({ folder, name: "session" })).toEqual(foreign);
  expect(statSync(path).mtimeMs).toBe(future);
  expect(tryLease({ folder, name: "session" }).taken).toBe(false);
  expect(Math.abs(Date.now() - statSync(path).mtimeMs)).toBeLessThan(10_000);
  setBeat(path, limits.leaseStaleMs + 1_000);
  taken(folder).release();
});

/** Sets the clock ahead until the test is over. */
function setClock(aheadMs: number): void {
  const real = Date.now;
  onTestFinished(() => {
    Date.now = real;
  });
  Date.now = () => real() + aheadMs;
}

test.each([2, 3, 17, limits.leaseNumber])(
  "a holder sees a successor whatever its number: %d",
  (number) => {
    const folder = newFolder();
    const lease = taken(folder);
    expect(lease.isKept()).toBe(true);
    const path = plant(folder, foreign, number);
    expect(lease.isKept()).toBe(false);
    unlinkSync(path);
    expect(lease.isKept(), "what was lost stays lost").toBe(false);
    lease.release();
  },
);

test("a successor is seen after any number of looks that found none", async () => {
  const folder = newFolder();
  const lease = taken(folder);
  const endMs = performance.now() + 3 * limits.folderTimeMs;
  while (performance.now() < endMs) expect(lease.isKept()).toBe(true);
  plant(folder, foreign, 5);
  expect(lease.isKept()).toBe(false);
  lease.release();
});

test("a holder looks before it beats: after a silence that others could use, its lease is lost and not renewed", () => {
  const folder = newFolder();
  const lease = taken(folder);
  const path = join(folder, "session.lease.1");
  setClock(limits.leaseStaleMs);
  const beatMs = statSync(path).mtimeMs;
  expect(lease.isKept()).toBe(false);
  expect(statSync(path).mtimeMs).toBe(beatMs);
  lease.release();
  expect(readdirSync(folder)).toEqual([]);
});

test("a holder that looks now and then beats, and keeps its lease", () => {
  const folder = newFolder();
  const lease = taken(folder);
  const path = join(folder, "session.lease.1");
  for (let beats = 1; beats < 10; beats += 1) {
    setClock(limits.leaseStaleMs / limits.leaseBeats + 1_000);
    expect(lease.isKept()).toBe(true);
    expect(Math.abs(statSync(path).mtimeMs - Date.now())).toBeLessThan(1_000);
  }
  lease.release();
});

test("a lease says itself how long a silence frees it, within bounds", () => {
  const folder = newFolder();
  const path = plant(folder, { ...foreign, staleMs: 500 });
  expect(tryLease({ folder, name: "session" }).taken).toBe(false);
  setBeat(path, 600);
  taken(folder).release();
  for (const staleMs of [-1, 1e300]) {
    const other = newFolder();
    const planted = plant(other, { ...foreign, staleMs });
    setBeat(planted, limits.leaseStaleMostMs + 1_000);
    taken(other).release();
  }
});

test("a holder whose file is gone, or whose name has passed to another, holds nothing and removes nothing", () => {
  const folder = newFolder();
  const lease = taken(folder);
  unlinkSync(join(folder, "session.lease.1"));
  plant(folder, foreign);
  expect(lease.isKept()).toBe(false);
  setClock(limits.leaseForgottenMs);
  lease.release();
  expect(readdirSync(folder)).toEqual(["session.lease.1"]);
});

test("a lower number beside it does not concern a holder: whoever took it steps back", () => {
  const folder = newFolder();
  plant(folder, dead, 4);
  const lease = taken(folder);
  plant(folder, foreign, 1);
  expect(lease.isKept()).toBe(true);
  lease.release();
});

test.each(["999999999999999", "1000000000", "999999999"])(
  "a lease numbered %s that nobody holds keeps nobody out, again and again",
  (number) => {
    const folder = newFolder();
    for (const holder of [dead, { ...foreign, staleMs: 50 }]) {
      const path = join(folder, `session.lease.${number}`);
      writeFileSync(path, JSON.stringify(holder));
      setBeat(path, 1_000);
      for (let again = 0; again < 3; again += 1) {
        const lease = taken(folder);
        expect(lease.isKept()).toBe(true);
        expect(tryLease({ folder, name: "session" }).taken).toBe(false);
        lease.release();
      }
    }
  },
);

test("numbers of several dead leases are passed over and cleared away, other names untouched", () => {
  const folder = newFolder();
  for (const number of [1, 7, 12]) plant(folder, dead, number);
  const others = ["session.lease.x", "session.lease.01", "session2.lease.99", "sess.lease.3"];
  for (const name of others) writeFileSync(join(folder, name), "");
  const lease = taken(folder);
  expect(readdirSync(folder).sort()).toEqual([...others, "session.lease.13"].sort());
  lease.release();
});

test.each(["../session", "a/b", ".hidden", "", "nul"])("the name %j is refused", (name) => {
  expect(() => tryLease({ folder: root, name })).toThrow(
    expect.objectContaining({ code: "bad_id" }),
  );
});

test.each(["lease.before-link", "lease.after-link", "lease.before-unlink"])(
  "a crash at %s leaves a lease that the next process takes at once, and nothing temporary",
  async (failpoint) => {
    const folder = newFolder();
    const doomed = await child({ REPRISE_FAILPOINT: failpoint });
    const gone = once(doomed, "exit");
    doomed.send({ do: "hold", folder, marks: join(root, "doomed-marks") });
    expect((await gone)[1]).toBe("SIGKILL");
    expect(readdirSync(folder)).not.toEqual([]);
    taken(folder).release();
    expect(readdirSync(folder)).toEqual([]);
  },
);
