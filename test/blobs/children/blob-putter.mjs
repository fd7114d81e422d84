// Puts contents one after the other and says on standard output which are durable.
import { writeSync } from "node:fs";

const [, , module, folder, count] = process.argv;
const { BlobStore } = await import(module);
const store = new BlobStore(folder);
for (let i = 0; i < Number(count); i += 1) {
  const ref = store.putSync(`content ${i} `.repeat(i % 2 === 0 ? 100 : 40_000));
  writeSync(1, `${JSON.stringify(ref)}\n`);
}
