// What it costs a program to import the library, against starting Node alone.
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { atMost, factRow, interleave, runProcess } from "./measure.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

export async function rows({ folder, quick }) {
  const program = programIn(folder);
  // Variables may have Node itself do more at its start.
  const env = { PATH: process.env.PATH, HOME: folder };
  const times = await interleave(
    { ours: () => runProcess([program], { env }), floor: () => runProcess(["-e", "0"], { env }) },
    { rounds: quick ? 15 : 151, warmups: 3 },
  );
  return [
    atMost("import of the library: / node -e 0", times, 1.4),
    factRow("import of the library: no third-party package", runs(program)),
  ];
}

/** A program that imports the library by its name, as installed, where no other package is in sight. */
function programIn(folder) {
  const installed = join(folder, "node_modules", "reprise");
  mkdirSync(installed, { recursive: true });
  cpSync(join(root, "dist"), join(installed, "dist"), { recursive: true });
  cpSync(join(root, "package.json"), join(installed, "package.json"));
  const program = join(folder, "program.mjs");
  writeFileSync(program, 'import { SessionManager } from "reprise";\nSessionManager.inMemory;\n');
  return program;
}

function runs(program) {
  try {
    runProcess([program]);
    return true;
  } catch {
    return false;
  }
}
