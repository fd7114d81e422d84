import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { temporaryFolder } from "../temporary-folder.mjs";

/* What is published is sound in the eyes of the tools that look at packages. */

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = temporaryFolder();
let tarball = "";

beforeAll(() => {
  run("npm", "pack", "--ignore-scripts", "--pack-destination", folder);
  tarball = join(folder, readdirSync(folder).find((name) => name.endsWith(".tgz"))!);
});

function run(program: string, ...args: readonly string[]): { status: number | null; out: string } {
  const options = { cwd: root, encoding: "utf8" } as const;
  const { status, stdout, stderr } = spawnSync(program, args, options);
  return { status, out: `${stdout}${stderr}` };
}

const tool = (name: string): string => join(root, "node_modules", ".bin", name);

test("publint has nothing to say", () => {
  const { status, out } = run(tool("publint"), "run", tarball, "--strict");
  expect(out).toContain("All good!");
  expect(status).toBe(0);
});

test("every entry has types for every way of resolving it", () => {
  // That `require` gets a module is meant: there is no second build, and every Node we promise can do it.
  const { status, out } = run(tool("attw"), tarball, "--ignore-rules", "cjs-resolves-to-esm");
  expect({ status, out }).toMatchObject({ status: 0 });
  expect(out).not.toMatch(/❌|⚠️|💀/);
});

test("a global install links the programs, and the page for man", () => {
  const prefix = temporaryFolder();
  const unpacked = temporaryFolder();
  run("tar", "-xf", tarball, "-C", unpacked);
  // A folder is linked as it is: its dependencies are not fetched.
  const quiet = ["--offline", "--no-audit", "--no-fund", "--ignore-scripts"];
  const folderOfIt = join(unpacked, "package");
  const { status, out } = run("npm", "install", "-g", "--prefix", prefix, ...quiet, folderOfIt);
  expect({ status, out }).toMatchObject({ status: 0 });
  for (const linked of ["bin/reprise", "bin/reprise-hook", "share/man/man1/reprise.1"])
    expect(existsSync(join(prefix, linked)), linked).toBe(true);
});
