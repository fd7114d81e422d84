import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import module from "node:module";
import { join } from "node:path";
import { expect, test } from "vitest";
import { cacheFolder } from "../../src/programs/compile-cache.ts";
import { folder } from "../bridge/folder.ts";

const bin = join(import.meta.dirname, "..", "..", "dist", "bin");
/** Node has a compile cache since 22.8; an older one keeps nothing. */
const keeps = "enableCompileCache" in module;
const programs = [
  { args: ["reprise.js", "--sample", "list", "--json"], input: "" },
  {
    args: ["reprise-hook.cjs", "claude-code"],
    input: '{"session_id":"s","hook_event_name":"Stop","cwd":"/p"}',
  },
] as const;

function run(home: string, variables: NodeJS.ProcessEnv = {}): readonly object[] {
  const env = { HOME: home, TZ: "UTC", REPRISE_NO_DRAIN: "1", ...variables };
  return programs.map(({ args: [file, ...args], input }) => {
    const ended = spawnSync(process.execPath, [join(bin, file), ...args], {
      env,
      input,
      encoding: "utf8",
    });
    return { file, status: ended.status, stdout: ended.stdout, stderr: ended.stderr };
  });
}

/** Everything that was compiled and kept in a folder. */
function keptIn(cache: string): readonly string[] {
  if (!existsSync(cache)) return [];
  return readdirSync(cache, { recursive: true, encoding: "utf8" })
    .map((name) => join(cache, name))
    .filter((path) => statSync(path).isFile());
}

const quietly = (ended: readonly object[]) => ended.map((each) => ({ ...each, stdout: undefined }));
const well = programs.map(({ args: [file] }) => ({ file, status: 0, stderr: "" }));

test("what Node compiled is kept in the user's own cache folder, for nobody else, and not in the store", () => {
  const home = folder();
  expect(quietly(run(home))).toEqual(well);
  const cache = join(home, ".cache", "reprise", "compiled");
  expect(keptIn(cache).length > programs.length).toBe(keeps);
  if (keeps) expect(statSync(cache).mode & 0o777).toBe(0o700);
  expect(keptIn(join(home, ".reprise")).filter((path) => path.includes("compiled"))).toEqual([]);
});

test("the programs say the same where what was kept is damaged or cut short", () => {
  const home = folder();
  const expected = run(home);
  const kept = keptIn(join(home, ".cache"));
  for (const change of [
    (bytes: Buffer) => bytes.map((byte, at) => (at === bytes.length >> 1 ? byte ^ 4 : byte)),
    (bytes: Buffer) => bytes.map((byte, at) => (at === bytes.length - 9 ? byte ^ 64 : byte)),
    (bytes: Buffer) => bytes.subarray(0, bytes.length >> 1),
    () => Buffer.alloc(0),
  ]) {
    for (const path of kept) writeFileSync(path, change(readFileSync(path)));
    expect(run(home)).toEqual(expected);
  }
});

test("a folder that others may write is not trusted, and one that cannot be made costs nothing", () => {
  const home = folder();
  const cache = join(home, ".cache", "reprise", "compiled");
  mkdirSync(cache, { recursive: true });
  chmodSync(cache, 0o777);
  expect(quietly(run(home))).toEqual(well);
  expect(keptIn(cache)).toEqual([]);
  const inTheWay = join(home, "file");
  writeFileSync(inTheWay, "");
  expect(quietly(run(home, { XDG_CACHE_HOME: inTheWay }))).toEqual(well);
});

test("who told Node to keep nothing has nothing kept", () => {
  const home = folder();
  expect(quietly(run(home, { NODE_DISABLE_COMPILE_CACHE: "1" }))).toEqual(well);
  expect(keptIn(join(home, ".cache"))).toEqual([]);
});

test("the folder is the one the system has for caches", () => {
  const env = { platform: "linux", home: "/home/ann", cwd: "/", variables: {} } as const;
  expect(cacheFolder(env)).toBe("/home/ann/.cache/reprise/compiled");
  const given = (XDG_CACHE_HOME: string) => cacheFolder({ ...env, variables: { XDG_CACHE_HOME } });
  expect(given("/var/cache/ann")).toBe("/var/cache/ann/reprise/compiled");
  // A relative path is to be ignored, says the one who made the rule.
  expect(given("cache")).toBe("/home/ann/.cache/reprise/compiled");
  expect(given("")).toBe("/home/ann/.cache/reprise/compiled");
  const variables = { LOCALAPPDATA: "/c/local", XDG_CACHE_HOME: "/x" };
  expect(cacheFolder({ ...env, platform: "win32", variables })).toBe("/c/local/reprise/compiled");
  expect(cacheFolder({ ...env, home: "" })).toBeUndefined();
});
