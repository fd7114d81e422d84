// npm run secrets [-- --seed 7] [--part first|second] [--show]: recall and precision of the rules that find
// secrets, by class, on the labelled set that these tests make. See docs/secrets.md.
import { parseArgs } from "node:util";
import { findSecrets } from "../../dist/rooms/redact/find.js";
import { figures, harmlessSamples, judged, parts, secretSamples } from "./labelled/samples.mjs";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    part: { type: "string", multiple: true, default: Object.keys(parts) },
    show: { type: "boolean", default: false },
  },
});
const seed = Number(values.seed);
const secrets = values.part.flatMap((part) => secretSamples(seed, { part }));
const rows = judged(findSecrets, { secrets, ordinary: harmlessSamples(seed) });
const print = (line) => process.stdout.write(`${line}\n`);
const percent = (share) => `${(share * 100).toFixed(1)} %`;

print(`seed ${seed}`);
print(`${"class".padEnd(24)} ${"texts".padStart(6)} ${"found".padStart(6)}  recall   false alarms`);
for (const { kind, count, found, falseAlarms, missed } of rows) {
  const isSecret = !kind.startsWith("- ");
  const recall = isSecret ? percent(found / count) : "";
  print(
    `${kind.padEnd(24)} ${String(count).padStart(6)} ${String(isSecret ? found : "").padStart(6)}  ${recall.padEnd(8)} ${falseAlarms.length || ""}`,
  );
  if (!values.show) continue;
  for (const text of missed) print(`    missed: ${JSON.stringify(text).slice(0, 200)}`);
  for (const { text, hit } of falseAlarms)
    print(
      `    false alarm: ${JSON.stringify(hit).slice(0, 80)} in ${JSON.stringify(text).slice(0, 160)}`,
    );
}
const all = figures(rows);
print(
  `${all.secrets} texts with secrets, ${all.ordinary} without: recall ${percent(all.recall)}, precision ${percent(all.precision)}`,
);
