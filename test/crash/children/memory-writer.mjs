// node memory-writer.mjs <folder> <name> <count>: stores entries one after the other and prints each key once it is stored.
import { writeSync } from "node:fs";
import { openMemory } from "../../../dist/memory.js";

const [folder, name, count] = process.argv.slice(2);
const env = { variables: {}, platform: process.platform, home: folder, cwd: folder };
const memory = openMemory({ env, mostEntries: 1_000_000 });
for (let at = 0; at < Number(count); at += 1) {
  const key = `${name}-${at}`;
  await memory.store({ key, value: `The value of ${key}.` });
  writeSync(1, `${key}\n`);
}
memory.close();
