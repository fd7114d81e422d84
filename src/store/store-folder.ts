import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { atomicWrite } from "../base/atomic-write.ts";
import { disk } from "../base/disk.ts";
import { makeDurableDirectory } from "../base/durable-directory.ts";
import { gitRootOf } from "../base/git-root.ts";
import type { Home } from "./home.ts";

/** Makes the folder of a store that is not there yet; inside a git work tree, git is reported to ignore it. */
export function makeStoreFolder({ flat, sessions, root }: Home): void {
  const folder = flat ? sessions : root;
  if (existsSync(folder)) return;
  makeDurableDirectory(folder, disk);
  if (gitRootOf(dirname(folder)) !== undefined)
    atomicWrite(join(folder, ".gitignore"), "*\n", { publish: "exclusive" });
}
