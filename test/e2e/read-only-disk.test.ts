import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { claudeSession } from "../catalog/claude.ts";
import { emptyHome } from "../catalog/home.ts";
import { temporaryFolder } from "../temporary-folder.mjs";

const program = join(import.meta.dirname, "../../dist/bin/reprise.js");
const session = "5a3e1c0f";

/** A disk in memory with a copy of a home, read-only, that only the program which follows sees. */
const mounted = `mount -t tmpfs tmpfs "$1" && cp -a "$2/." "$1" && mount -o remount,ro "$1" && shift 2 && exec "$@"`;
const mayMount =
  spawnSync("unshare", ["-rm", "sh", "-c", "mount -t tmpfs tmpfs /mnt"]).status === 0;

/** Runs the program with a home that cannot be written: on such a disk, else in a folder this user may not write to. */
function runReadOnly(home: string, args: readonly string[]): ReturnType<typeof spawnSync> {
  const at = join(temporaryFolder(), "home");
  mkdirSync(at);
  const command = [process.execPath, program, ...args];
  const options = {
    env: { PATH: process.env["PATH"], HOME: at },
    encoding: "utf8",
    cwd: "/",
  } as const;
  if (mayMount)
    return spawnSync("unshare", ["-rm", "sh", "-c", mounted, "sh", at, home, ...command], options);
  cpSync(home, at, { recursive: true });
  chmodSync(at, 0o555);
  const isRoot = process.getuid?.() === 0;
  // Root may write anywhere: another user runs it, and must get there.
  if (isRoot) chmodSync(dirname(at), 0o755);
  return spawnSync(command[0]!, command.slice(1), { ...options, ...(isRoot && { uid: 65_534 }) });
}

test("on a disk that is read-only sessions are listed and found; what must write says why it cannot", () => {
  const env = emptyHome();
  claudeSession(env, 1, ["the kumquat topic"]);
  for (const args of [
    ["list", "--all"],
    ["search", "kumquat"],
  ]) {
    const { status, stdout } = runReadOnly(env.home, args);
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: expect.stringContaining("the kumquat topic"),
    });
  }
  for (const args of [
    ["tag", session, "x"],
    ["import", session],
  ]) {
    const { status, stderr } = runReadOnly(env.home, args);
    expect({ args, status, stderr }).toEqual({
      args,
      status: 1,
      stderr: expect.stringMatching(
        /^reprise: \/.* cannot be (made|used|written): .*\((EROFS|EACCES)\)\.\n\S.*\.\n$/,
      ),
    });
  }
});
