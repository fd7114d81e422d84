// Forking costs the same at any size: the new file names its base and copies nothing.
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { SessionManager } from "reprise";
import { nativeSession } from "./corpora.mjs";
import { atMost, interleave, timed } from "./measure.mjs";

export async function rows({ folder, quick }) {
  const events = quick ? 10_000 : 100_000;
  const small = await opened(join(folder, "small"), 512);
  const large = await opened(join(folder, "large"), events);
  const size = quick ? "20 MB" : "200 MB";
  const rounds = 41;
  const atTheEnd = await interleave(
    { ours: () => forked(large), floor: () => forked(small) },
    { rounds, warmups: 5 },
  );
  const inTheMiddle = await interleave(
    {
      ours: () => forked(large, Math.floor(events / 2)),
      floor: () => forked(small, 256),
    },
    { rounds, warmups: 5 },
  );
  await small.close();
  await large.close();
  return [
    atMost(`fork at the end: ${size} / 1 MB`, atTheEnd, 2),
    atMost(`fork in the middle: ${size} / 1 MB`, inTheMiddle, 2),
  ];
}

async function opened(dir, events) {
  mkdirSync(dir);
  return SessionManager.open(await nativeSession(dir, { events, averageBytes: 2000 }));
}

async function forked(session, event) {
  let fork;
  const ms = await timed(() => {
    fork = session.fork(event);
  });
  await fork.close();
  rmSync(fork.getSessionFile());
  return ms;
}
