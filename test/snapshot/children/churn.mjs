// Changes files of a folder and takes a checkpoint after each change.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkpointFolder, homeAt } from "../../../dist/snapshot.js";

const [folder, root, rounds, size] = process.argv.slice(2);
const home = homeAt(root);
const bytes = size === "large" ? 400_000 : 2_000;
for (let round = 0; round < Number(rounds); round += 1) {
  for (let at = 0; at < 5; at += 1) {
    const content = Buffer.alloc(bytes, `${folder} ${round} ${at % 3} `);
    writeFileSync(join(folder, `${(round + at) % 9}.txt`), content);
  }
  rmSync(join(folder, `${(round + 7) % 9}.txt`), { force: true });
  checkpointFolder(folder, {
    home,
    userHome: "/nowhere",
    sync: false,
    waitMs: 30_000,
    about: { reason: "asked", session: folder, agent: "reprise", label: `round ${round}` },
  });
  if (round === 0) process.stdout.write("begun\n");
}
