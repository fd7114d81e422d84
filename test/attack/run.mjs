// Everything at once against the promises: a storm of faults on one store, damaged sessions of every agent, and kills
// while sessions are written for other programs.
// Bounded in time, seeded; exit 1 if anything was lost, doubled, harmed, or went wrong inside.
//
//   npm run attack [-- --minutes 20] [--faults 5000] [--seed 1] [--sessions <home> ...] [--on 20,22,24]
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { stormAdditions } from "../crash/additions.mjs";
import { installedNode, promisedNodes } from "../real/install.mjs";
import { fuzz } from "./fuzz.mjs";
import { kindsOf } from "./problems.mjs";
import { storm } from "./storm.mjs";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "20" },
    faults: { type: "string", default: "5000" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    sessions: { type: "string", multiple: true, default: [] },
    on: { type: "string" },
  },
});

if (values.on === undefined) process.exitCode = await attack();
else process.exitCode = await attackOn(values.on.split(","));

/** The whole attack on each of these Nodes, one after the other. */
async function attackOn(lines) {
  let failures = 0;
  for (const version of promisedNodes.filter((one) => lines.includes(one.split(".")[0]))) {
    const { argv } = await installedNode(version);
    const given = ["minutes", "faults", "seed"].flatMap((name) => [`--${name}`, values[name]]);
    const homes = values.sessions.flatMap((home) => ["--sessions", home]);
    const self = fileURLToPath(import.meta.url);
    const { status } = spawnSync(argv[0], [self, ...given, ...homes], { stdio: "inherit" });
    if (status !== 0) failures += 1;
  }
  return failures === 0 ? 0 : 1;
}

/** Six tenths of the time for the storm, the rest for damage and kills. */
async function attack() {
  const seed = Number(values.seed);
  const tenthMs = Number(values.minutes) * 6_000;
  say(`Node ${process.versions.node}, seed ${seed}`);
  const tell = ({ faults, problems }) =>
    process.stderr.write(`  ${faults} faults, ${problems.length} problems\n`);
  const storms = await storm({
    faults: Number(values.faults),
    seed,
    deadlineMs: Date.now() + 6 * tenthMs,
    tell,
  });
  const damages = await fuzz({
    rounds: Number(values.faults),
    seed,
    homes: values.sessions,
    deadlineMs: Date.now() + 2 * tenthMs,
    tell,
  });
  const additions = await stormAdditions({
    rounds: Number(values.faults),
    seed,
    jobs: 2,
    deadlineMs: Date.now() + 2 * tenthMs,
  });
  report("storm", storms, [
    `${storms.acknowledged} events acknowledged`,
    `${storms.fullDisks} full disks`,
    storms.namespaces ? "in four pid namespaces" : "in one pid namespace",
    `refused: ${JSON.stringify(storms.refused)}`,
  ]);
  report("damaged sessions", damages, [JSON.stringify(damages.bySource)]);
  report("kills while writing for other programs", { ...additions, faults: additions.kills }, [
    `${additions.settling} while settling`,
  ]);
  return [storms, damages, additions].every(({ problems }) => problems.length === 0) ? 0 : 1;
}

function report(name, { faults, problems }, facts) {
  say(`${name}: ${faults} faults, ${problems.length} problems; ${facts.join("; ")}`);
  for (const problem of kindsOf(problems)) say(problem);
}

function say(line) {
  process.stdout.write(`${line}\n`);
}
