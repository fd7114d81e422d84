// Measures two ways of doing one thing in turn, so that a busy machine slows both alike, and says how
// the first compares with the second. Times are milliseconds.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const runner = fileURLToPath(new URL("./run.mjs", import.meta.url));

/** Milliseconds a call took; the value of an asynchronous one is awaited. */
export async function timed(work) {
  const began = performance.now();
  const pending = work();
  // Awaiting what is no promise would add a turn of the event loop to the time.
  if (typeof pending?.then === "function") await pending;
  return performance.now() - began;
}

/**
 * Calls every side once a round, the order reversed in every second one, and returns the times of each.
 * A side returns its own milliseconds, so that what it prepares is not counted.
 */
export async function interleave(sides, { rounds, warmups = 1 }) {
  const names = Object.keys(sides);
  const times = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = -warmups; round < rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const ms = await sides[name]();
      if (round >= 0) times[name].push(ms);
    }
  }
  return times;
}

/** What other programs do meanwhile only ever adds to a time, so the fast rounds tell what the code costs. */
function fast(values) {
  return quantile(values, 0.1);
}

function quantile(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const low = sorted[Math.floor(at)];
  return low + (sorted[Math.ceil(at)] - low) * (at % 1);
}

/** A row whose bar is a highest ratio: ours may take so many times as long as the floor. */
export function atMost(what, times, bar) {
  return ratioRow(what, times, { bar, over: (ratio) => ratio / bar, sign: "<=", faster: false });
}

/** A row whose bar is a lowest ratio: the other takes at least so many times as long as ours. */
export function atLeast(what, times, bar) {
  return ratioRow(what, times, { bar, over: (ratio) => bar / ratio, sign: ">=", faster: true });
}

/** What a busy machine adds to a ratio now and then: within it a bar holds, and the row says so. */
const noise = 1.1;

/** A row that is told beside another one, without a bar of its own. */
export function beside(what, times) {
  return { ...atMost(what, times, Number.POSITIVE_INFINITY), bar: "", ok: undefined };
}

function ratioRow(what, { ours, floor }, { bar, over, sign, faster }) {
  const ratioOf = (a, b) => (faster ? b / a : a / b);
  const [oursMs, floorMs] = [fast(ours), fast(floor)];
  const ratio = ratioOf(oursMs, floorMs);
  const ratios = ours.map((ms, round) => ratioOf(ms, floor[round]));
  return {
    what,
    oursMs,
    floorMs,
    ratio,
    // Round by round: what disturbs one half of a round often disturbs the other too.
    rounds: {
      low: quantile(ratios, 0.25),
      middle: quantile(ratios, 0.5),
      high: quantile(ratios, 0.75),
    },
    bar: `${sign} ${bar}x`,
    ok: over(ratio) <= noise,
    ...(over(ratio) > 1 && over(ratio) <= noise && { close: true }),
  };
}

/** A row about memory: the largest of several peaks. */
export function memoryRow(what, peaksMb, barMb) {
  const peak = Math.max(...peaksMb);
  return { what, oursMb: peak, bar: `< ${barMb} MB`, ok: peak < barMb };
}

/** A row about a figure that may not be higher: the lowest of several runs. */
export function figureRow(what, values, { unit, most }) {
  const best = Math.min(...values);
  return { what, ours: `${digits(best)} ${unit}`, bar: `<= ${most} ${unit}`, ok: best <= most };
}

/** A row about something that holds or does not. */
export function factRow(what, ok) {
  return { what, bar: "yes", ok };
}

/** A row that could not be measured, and why. */
export function missingRow(what, why) {
  return { what, bar: "n/a", ok: undefined, why };
}

/** Runs a task of a journey in a process of its own; returns its value and the peak of its memory. */
export function inChild(journey, task, ...args) {
  const child = spawnSync(
    process.execPath,
    // Without flags, as programs run.
    [runner, "--child", journey, task, ...args.map(String)],
    { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] },
  );
  if (child.status !== 0) throw new Error(`${journey}/${task} ended with ${child.status}`);
  return JSON.parse(child.stdout);
}

const tellPeak =
  'data:text/javascript,process.on("exit",()=>process.stderr.write("peak="+process.resourceUsage().maxRSS));';

/** Milliseconds of a whole process of a Node from start to exit; with `peak` its memory in MB instead. */
export function runProcess(
  argv,
  { node = process.execPath, env = process.env, peak = false, input } = {},
) {
  const began = performance.now();
  const child = spawnSync(node, peak ? ["--import", tellPeak, ...argv] : argv, {
    env,
    encoding: "utf8",
    stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    ...(input !== undefined && { input }),
    maxBuffer: 256 * 1024 * 1024,
  });
  const ms = performance.now() - began;
  if (child.status !== 0) throw new Error(`${argv.join(" ")}\n${child.stderr}`);
  return peak ? Number(/peak=(\d+)/.exec(child.stderr)[1]) / 1024 : ms;
}

/** The rows as a table for people. */
export function table(rows) {
  const header = ["what", "ours ms", "floor ms", "ratio", "rounds", "bar", "ok"];
  const lines = [header, ...rows.map(cells)];
  const widths = header.map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  const drawn = lines.map((line) =>
    line
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]),
      )
      .join(" | "),
  );
  drawn.splice(1, 0, widths.map((width) => "-".repeat(width)).join("-|-"));
  return drawn.join("\n");
}

function cells(row) {
  const { what, ours, oursMs, floorMs, oursMb, ratio, rounds, bar, ok, close, why } = row;
  return [
    why === undefined ? what : `${what} (${why})`,
    ours ?? (oursMb === undefined ? digits(oursMs) : `${Math.round(oursMb)} MB`),
    digits(floorMs),
    ratio === undefined ? "" : `${digits(ratio)}x`,
    rounds === undefined ? "" : Object.values(rounds).map(digits).join(" "),
    bar,
    ok === undefined ? "" : close ? "ok (within 10 %)" : ok ? "ok" : "MISSED",
  ];
}

function digits(value) {
  if (value === undefined) return "";
  if (value >= 100) return String(Math.round(value));
  return value >= 10 ? value.toFixed(1) : value >= 0.1 ? value.toFixed(2) : value.toFixed(4);
}
