// Resuming: from a closed session to what the model is to see, and to the first append.
import { closeSync, fstatSync, mkdirSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { SessionManager } from "reprise";
import { nativeSession, piSession } from "./corpora.mjs";
import { atLeast, atMost, inChild, interleave, memoryRow, missingRow, timed } from "./measure.mjs";
import { loadPi, piProblem } from "./pi.mjs";

const megabyte = 1024 * 1024;

export async function rows({ folder, quick }) {
  const events = quick ? 10_000 : 100_000;
  const size = `${quick ? 20 : 200} MB`;
  const shape = { events, averageBytes: 2000 };
  const at = (name) => {
    mkdirSync(join(folder, name));
    return join(folder, name);
  };
  const compacted = await nativeSession(at("compacted"), { ...shape, compacted: true });
  return [
    ...(await resumed(compacted, { folder: at("pi"), shape, size, quick })),
    await whole(await nativeSession(at("whole"), shape), { size, quick }),
    await firstAppend(at, { quick }),
  ];
}

async function resumed(file, { folder, shape, size, quick }) {
  const what = `open + context, ${size} with a compaction: pi's SessionManager /`;
  const peaks = [];
  const ours = () => {
    const { value, peakMb } = inChild("open", "context", file);
    peaks.push(peakMb);
    return value.ms;
  };
  const memory = () => memoryRow(`open + context, ${size} with a compaction: memory`, peaks, 80);
  const problem = piProblem();
  if (problem !== undefined) {
    ours();
    return [missingRow(what, problem), memory()];
  }
  const piFile = piSession(folder, { ...shape, compacted: true });
  const floor = () => inChild("open", "piContext", piFile).value.ms;
  const times = await interleave({ ours, floor }, { rounds: quick ? 3 : 9, warmups: 1 });
  return [atLeast(what, times, 150), memory()];
}

async function whole(file, { size, quick }) {
  const times = await interleave(
    {
      ours: () => inChild("open", "context", file).value.ms,
      floor: () => inChild("open", "parse", file).value.ms,
    },
    { rounds: quick ? 5 : 7 },
  );
  return atMost(`open + context, ${size} without one: / parse and keep every line`, times, 1.25);
}

/** A fresh object each time: opening takes the lease and verifies the end, and so does every round. */
async function firstAppend(at, { quick }) {
  const largeBytes = (quick ? 64 : 1024) * megabyte;
  const averageBytes = 16 * 1024;
  const small = await nativeSession(at("small"), { events: 512, averageBytes: 2000 });
  const large = await nativeSession(at("large"), {
    events: Math.ceil(largeBytes / averageBytes),
    averageBytes,
  });
  const openAndAppend = (file) => async () => {
    let session;
    const ms = await timed(() => {
      session = SessionManager.open(file, { sync: "none" });
      session.appendSync({ type: "user", content: "go on" });
    });
    await session.close();
    return ms;
  };
  const times = await interleave(
    { ours: openAndAppend(large), floor: openAndAppend(small) },
    { rounds: 41, warmups: 5 },
  );
  return atMost(`open + append one event: ${quick ? "64 MB" : "1 GB"} / 1 MB`, times, 1.5);
}

/** What is measured in processes of their own. */
export const tasks = {
  context: (file) =>
    milliseconds(() => SessionManager.open(file).buildSessionContext().messages.length),
  piContext: async (file) => {
    const Pi = await loadPi();
    return milliseconds(() => Pi.open(file).buildSessionContext().messages.length);
  },
  parse: (file) => milliseconds(() => parsedLines(file).length),
};

function milliseconds(work) {
  const began = performance.now();
  const count = work();
  return { ms: performance.now() - began, count };
}

/** The least that gives every event: one reused buffer, one decode and one parse a line. */
function parsedLines(file) {
  const fd = openSync(file, "r");
  const { size } = fstatSync(fd);
  const buffer = Buffer.allocUnsafe(megabyte);
  const kept = [];
  for (let offset = 0; offset < size; ) {
    const taken = readSync(fd, buffer, 0, buffer.length, offset);
    const bytes = buffer.subarray(0, taken);
    let start = 0;
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
      kept.push(JSON.parse(bytes.toString("utf8", start, end)));
      start = end + 1;
    }
    offset += start;
  }
  closeSync(fd);
  return kept;
}
