// A disk that can be filled: a file system in memory, where this user may mount one.
import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const megabytes = 256;

/** Mounts a small disk on a folder; undefined where that is not allowed. */
export function mountSmallDisk(folder) {
  const size = `size=${megabytes}m,mode=0700`;
  if (spawnSync("mount", ["-t", "tmpfs", "-o", size, "tmpfs", folder]).status !== 0)
    return undefined;
  const ballast = join(folder, "ballast");
  return {
    fill() {
      try {
        writeFileSync(ballast, Buffer.alloc(megabytes * 1024 * 1024));
      } catch {
        // Full, as it should be.
      }
    },
    free: () => rmSync(ballast, { force: true }),
    unmount: () => spawnSync("umount", ["-l", folder]),
  };
}
