// Listing a thousand native sessions, against asking the file system about each of them.
import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { SessionManager } from "reprise";
import { userHome } from "../dist/rooms/store/home.js";
import { listHeads } from "../dist/rooms/store/list.js";
import { environmentOf, nativeHome } from "./corpora.mjs";
import { atMost, inChild, interleave, memoryRow, timed } from "./measure.mjs";

export async function rows({ folder, quick }) {
  const sessions = quick ? 200 : 1000;
  const env = await nativeHome(folder, { sessions, totalBytes: sessions * 500_000 });
  const home = userHome(env);
  const rounds = quick ? 11 : 101;
  const floor = () => timed(() => statPass(home.sessions));
  const bare = await interleave(
    { ours: () => timed(() => listHeads(home)), floor },
    { rounds, warmups: 5 },
  );
  await SessionManager.listAll({ env });
  const cached = await interleave(
    { ours: () => timed(() => SessionManager.listAll({ env })), floor },
    { rounds, warmups: 5 },
  );
  rmSync(home.derived, { recursive: true });
  const peaks = [0, 1, 2].map(() => inChild("list", "all", folder).peakMb);
  const what = `list ${sessions} sessions (${sessions / 2} MB)`;
  return [
    atMost(`${what}, no head cache: / stat each file`, bare, 6),
    atMost(`${what}, head cache: / stat each file`, cached, 2),
    memoryRow(`${what}: memory`, peaks, 80),
  ];
}

/** The least a list could do: read the folders, ask for size and time of every file. */
export function statPass(root) {
  let bytes = 0;
  for (const folder of readdirSync(root)) {
    const path = join(root, folder);
    for (const name of readdirSync(path)) bytes += statSync(join(path, name)).size;
  }
  return bytes;
}

/** What is measured in processes of their own. */
export const tasks = {
  all: async (folder) => (await SessionManager.listAll({ env: environmentOf(folder) })).length,
};
