// npm run bench [-- --only <journey>] [--quick] [--json] [--sessions <home>]: see docs/bench.md.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { table } from "./measure.mjs";

const journeys = {
  append: () => import("./append.mjs"),
  server: () => import("./server.mjs"),
  open: () => import("./open.mjs"),
  list: () => import("./list.mjs"),
  fork: () => import("./fork.mjs"),
  start: () => import("./start.mjs"),
  home: () => import("./home.mjs"),
  "read-agents": () => import("./read-agents.mjs"),
  convert: () => import("./convert.mjs"),
  blame: () => import("./blame.mjs"),
  stats: () => import("./stats.mjs"),
  hook: () => import("./hook.mjs"),
  snapshot: () => import("./snapshot.mjs"),
  redact: () => import("./redact.mjs"),
  catalog: () => import("./catalog.mjs"),
  cursor: () => import("./cursor.mjs"),
  memory: () => import("./memory.mjs"),
  large: () => import("./large.mjs"),
};
/** Run only where they are named: they take gigabytes and minutes. */
const onRequest = new Set(["large", "cursor"]);

if (process.argv[2] === "--child") await runTask(...process.argv.slice(3));
else await runJourneys();

/** In a process of its own: one task, its value and the peak of the memory on standard output. */
async function runTask(journey, task, ...args) {
  const { tasks } = await journeys[journey]();
  const value = await tasks[task](...args);
  const peakMb = process.resourceUsage().maxRSS / 1024;
  process.stdout.write(JSON.stringify({ value, peakMb }));
}

async function rowsOf(name, root, { quick, sessions }) {
  const folder = join(root, name);
  mkdirSync(folder);
  const { rows } = await journeys[name]();
  const found = await rows({ folder, quick, sessions });
  rmSync(folder, { recursive: true, force: true });
  return found;
}

/** Each journey in a process of its own: what one made hot or filled must not tell in the next. */
function rowsInProcess(name, { quick, sessions }) {
  const args = [
    fileURLToPath(import.meta.url),
    "--only",
    name,
    "--json",
    ...(quick ? ["--quick"] : []),
    ...(sessions === undefined ? [] : ["--sessions", sessions]),
  ];
  const { stdout } = spawnSync(process.execPath, args, {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  return JSON.parse(stdout).map(({ journey: _journey, ...row }) => row);
}

async function runJourneys() {
  const { values } = parseArgs({
    options: {
      only: {
        type: "string",
        multiple: true,
        default: Object.keys(journeys).filter((name) => !onRequest.has(name)),
      },
      quick: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      sessions: { type: "string" },
    },
  });
  const unknown = values.only.find((name) => journeys[name] === undefined);
  if (unknown !== undefined) {
    process.stderr.write(`no journey ${unknown}; there are ${Object.keys(journeys).join(", ")}\n`);
    process.exit(2);
  }
  const root = mkdtempSync(join(tmpdir(), "reprise-bench-"));
  const remove = () => rmSync(root, { recursive: true, force: true });
  process.once("SIGINT", () => {
    remove();
    process.exit(130);
  });
  const all = [];
  try {
    for (const name of values.only) {
      const isOnly = values.only.length === 1;
      const found = isOnly ? await rowsOf(name, root, values) : rowsInProcess(name, values);
      all.push(...found.map((row) => ({ journey: name, ...row })));
      if (!values.json) process.stdout.write(`${name}\n${table(found)}\n\n`);
    }
  } finally {
    remove();
  }
  const missed = all.filter(({ ok }) => ok === false);
  if (values.json) process.stdout.write(`${JSON.stringify(all, undefined, 2)}\n`);
  else {
    process.stdout.write(missed.length === 0 ? "every bar holds\n" : `${missed.length} missed\n`);
    if (values.quick)
      process.stdout.write("measured on small sizes: the bars are for the full ones\n");
  }
  process.exitCode = missed.length === 0 ? 0 : 1;
}
