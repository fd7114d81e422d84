// Appending 1 KB events, against the least that could be done and against pi.
import { hash } from "node:crypto";
import {
  closeSync,
  fdatasync,
  fdatasyncSync,
  mkdirSync,
  openSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { SessionManager } from "reprise";
import { randomFrom, textFrom } from "./corpora.mjs";
import { atLeast, atMost, beside, interleave, missingRow, timed } from "./measure.mjs";
import { loadPi, piProblem } from "./pi.mjs";

const concurrent = 64;
const syncInPool = promisify(fdatasync);
const text = textFrom(randomFrom(3), 1400)
  .replace(/[^\x20-\x7e]/g, "")
  .slice(0, 900);
// One object for all sides: what is in it must not make a difference.
const body = { type: "user", content: text };

export async function rows({ folder, quick }) {
  // Many short rounds: the shorter a pair, the likelier both halves meet the same machine.
  const each = 10;
  const many = 400;
  const rounds = quick ? 21 : 101;
  const sides = makeSides(folder);
  const none = await interleave(
    {
      floor: () => sides.floor(many),
      sync: () => sides.sync("none", many),
      async: () => sides.async("none", many),
    },
    { rounds, warmups: 20 },
  );
  // Each with the floor alone: whatever comes after a wait for the thread pool begins more slowly.
  const durable = (ours) =>
    interleave(
      { floor: () => sides.floorEach(each), ours },
      // A sync takes as long as the disk pleases: only many of them tell what it costs at its best. Before they count
      // there are as many appends as above, because the code that waits for a sync is compiled anew when it first does.
      { rounds: 3 * rounds, warmups: quick ? 20 : (20 * many) / each },
    );
  const durableSync = await durable(() => sides.sync("each", each));
  const durableAsync = await durable(() => sides.async("each", each));
  const pooled = await durable(() => sides.poolEach(each));
  const together = await interleave(
    { floor: () => sides.floorTogether(each / 5), ours: () => sides.together(each / 5) },
    { rounds, warmups: 2 },
  );
  const found = [
    atMost("append, sync none: / stringify + SHA-256 + write", perAppend(none, "async", many), 1.8),
    atMost(
      "appendSync, sync none: / stringify + SHA-256 + write",
      perAppend(none, "sync", many),
      1.8,
    ),
    await againstPi(folder, sides, { many, rounds }),
    atMost(
      "appendSync, sync each: / write + fdatasync",
      perAppend(durableSync, "ours", each),
      1.15,
    ),
    atMost("append, sync each: / write + fdatasync", perAppend(durableAsync, "ours", each), 1.6),
    beside(
      "write + fdatasync in Node's thread pool: / write + fdatasync",
      perAppend(pooled, "ours", each),
    ),
    atMost(
      `append, sync each, ${concurrent} at once: / ${concurrent} writes + one fdatasync`,
      perAppend({ floor: together.floor, async: together.ours }, "async", (each / 5) * concurrent),
      1.25,
    ),
  ];
  await sides.close();
  return [...found, await afterIdle(folder, { quick, rounds })];
}

/** The first append after a pause takes the lease again: how many others there are must not tell. */
async function afterIdle(folder, { quick, rounds }) {
  const others = quick ? 5_000 : 50_000;
  const each = 10;
  const appends = (name, leases) => {
    const dir = join(folder, name);
    plantLeases(join(dir, ".reprise", "writers"), leases);
    const session = SessionManager.create(dir, dir, { sync: "none", leasePerAppend: true });
    return () =>
      timed(() => {
        for (let n = 0; n < each; n += 1) session.appendSync(body);
      });
  };
  const sides = { floor: appends("alone", 0), ours: appends("beside", others) };
  const times = await interleave(sides, { rounds, warmups: 20 });
  const what = `first append after a pause, beside ${others} leases of other sessions: / beside none`;
  return atMost(what, perAppend(times, "ours", each), 1.5);
}

/** Leases of processes that cannot be examined and may be alive. */
function plantLeases(root, count) {
  for (let n = 0; n < count; n += 1) {
    const folder = join(root, `other-${n}`);
    mkdirSync(folder, { recursive: true });
    const holder = { host: "elsewhere", pid: 1 + n, nonce: String(n), staleMs: 3_600_000 };
    writeFileSync(join(folder, `other-${n}.lease.1`), JSON.stringify(holder));
  }
}

function perAppend(times, side, count) {
  const of = (name) => times[name].map((ms) => ms / count);
  return { ours: of(side), floor: of("floor") };
}

async function againstPi(folder, sides, { many, rounds }) {
  const what = "appendSync, sync none: pi's SessionManager /";
  const problem = piProblem();
  if (problem !== undefined) return missingRow(what, problem);
  const Pi = await loadPi();
  const dir = join(folder, "pi");
  mkdirSync(dir);
  const pi = async () => {
    const manager = Pi.create(dir, dir);
    // It writes nothing before the first answer, so that comes before the clock.
    manager.appendMessage({ role: "assistant", content: [{ type: "text", text: "hello" }] });
    return timed(() => {
      for (let n = 0; n < many; n += 1) {
        manager.appendMessage({ role: "user", content: text, timestamp: n });
      }
    });
  };
  const times = await interleave(
    { floor: pi, sync: () => sides.sync("none", many) },
    { rounds: Math.ceil(rounds / 2), warmups: 5 },
  );
  return atLeast(what, perAppend(times, "sync", many), 1.5);
}

/** The ways to append; each keeps a file of its own open. */
function makeSides(folder) {
  const bare = openSync(join(folder, "floor.jsonl"), "a", 0o600);
  const pooled = openSync(join(folder, "pool.jsonl"), "a", 0o600);
  const sessions = new Map();
  const session = (sync) => {
    if (!sessions.has(sync)) sessions.set(sync, SessionManager.create(folder, folder, { sync }));
    return sessions.get(sync);
  };
  const at = "2026-01-02T03:04:05.678Z";
  let id = 0;
  const encode = () => {
    id += 1;
    const json = JSON.stringify({ id, parent: id - 1, at, type: "user", content: text });
    const sum = hash("sha256", json, "hex");
    return `${json.slice(0, -1)},"sum":"${sum.slice(0, 16)}"}\n`;
  };
  return {
    floor: (count) =>
      timed(() => {
        for (let n = 0; n < count; n += 1) writeSync(bare, encode());
      }),
    floorEach: (count) =>
      timed(() => {
        for (let n = 0; n < count; n += 1) {
          writeSync(bare, encode());
          fdatasyncSync(bare);
        }
      }),
    poolEach: (count) =>
      timed(async () => {
        for (let n = 0; n < count; n += 1) {
          writeSync(pooled, encode());
          await syncInPool(pooled);
        }
      }),
    floorTogether: (count) =>
      timed(() => {
        for (let n = 0; n < count; n += 1) {
          for (let k = 0; k < concurrent; k += 1) writeSync(bare, encode());
          fdatasyncSync(bare);
        }
      }),
    sync: (policy, count) => {
      const to = session(policy);
      return timed(() => {
        for (let n = 0; n < count; n += 1) to.appendSync(body);
      });
    },
    async: (policy, count) => {
      const to = session(policy);
      return timed(async () => {
        for (let n = 0; n < count; n += 1) await to.append(body);
      });
    },
    together: (count) => {
      const to = session("each");
      return timed(async () => {
        for (let n = 0; n < count; n += 1) {
          await Promise.all(Array.from({ length: concurrent }, () => to.append(body)));
        }
      });
    },
    close: async () => {
      closeSync(bare);
      closeSync(pooled);
      for (const one of sessions.values()) await one.close();
    },
  };
}
