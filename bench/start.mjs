// What it costs a program to import the library, against starting Node alone.
import { cpSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { atMost, factRow, interleave, runProcess } from "./measure.mjs";

const dist = fileURLToPath(new URL("../dist/", import.meta.url));
/** What Node takes for `import "reprise"`. */
const entry = relative(dist, fileURLToPath(import.meta.resolve("reprise")));

export async function rows({ folder, quick }) {
  const library = join(dist, entry);
  // Variables may have Node itself do more at its start.
  const env = { PATH: process.env.PATH, HOME: folder };
  const times = await interleave(
    { ours: () => runProcess([library], { env }), floor: () => runProcess(["-e", "0"], { env }) },
    { rounds: quick ? 15 : 61, warmups: 3 },
  );
  return [
    atMost("import of the library: / node -e 0", times, 1.4),
    factRow("import of the library: no third-party package", standsAlone(folder)),
  ];
}

/** Where no node_modules folder is in sight, an import of somebody else's package would fail. */
function standsAlone(folder) {
  const copy = join(folder, "alone");
  cpSync(dist, copy, { recursive: true });
  writeFileSync(join(copy, "package.json"), '{"type":"module"}');
  try {
    runProcess([join(copy, entry)]);
    return true;
  } catch {
    return false;
  }
}
