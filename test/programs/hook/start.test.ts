import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { placesOf } from "../../../src/bridge/state/places.ts";
import { loadState } from "../../../src/bridge/state/snapshot.ts";
import { folder } from "../../bridge/folder.ts";

const seed = 11;
const built = new URL("../../../dist/bin/", import.meta.url).pathname;
const ending = `-${process.version}-${process.arch}.pack`;

/** The hook's own files in a folder where they may be damaged. */
function copied(): string {
  const bin = folder();
  for (const name of readdirSync(built))
    if (name.startsWith("reprise-hook")) copyFileSync(join(built, name), join(bin, name));
  return bin;
}

function prompt(bin: string, home: string) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(bin, "reprise-hook.cjs"), "claude-code"],
    {
      env: { REPRISE_HOME: home, REPRISE_NO_DRAIN: "1" },
      input: JSON.stringify({ session_id: "s1", hook_event_name: "UserPromptSubmit", cwd: "/p" }),
      encoding: "utf8",
    },
  );
  return { status, stdout, stderr };
}

function promptsIn(home: string): number {
  const places = placesOf(join(home, "bridge"), "claude-code", "s1");
  return loadState(places, { agent: "claude-code", session: "s1" }).state.promptCount;
}

const well = { status: 0, stdout: "", stderr: "" };

test("the hook is compiled ahead, and V8 takes what was compiled", () => {
  const look = `
    const { readFileSync } = require("node:fs");
    const pack = readFileSync(process.argv[1]);
    const half = pack.subarray(0, pack.length / 2);
    const codeAt = 4 + half.readUInt32LE(0);
    const { Script } = require("node:vm");
    const { cachedDataRejected } = new Script(half.latin1Slice(4, codeAt), {
      cachedData: half.subarray(codeAt),
    });
    process.stdout.write(String(cachedDataRejected));`;
  for (const name of ["main", "late"]) {
    const pack = join(built, `reprise-hook-${name}${ending}`);
    const { stdout } = spawnSync(process.execPath, ["-e", look, pack], { encoding: "utf8" });
    expect(stdout).toBe("false");
  }
});

test(`a wrong bit anywhere in what was compiled ahead changes nothing (seed ${seed})`, () => {
  const bin = copied();
  const home = folder();
  const file = join(bin, `reprise-hook-main${ending}`);
  const whole = readFileSync(file);
  for (let round = 0; round < 24; round += 1) {
    const damaged = Buffer.from(whole);
    const at = (seed + round * 2_654_435_761) % whole.length;
    damaged[at]! ^= 1 << (round % 8);
    writeFileSync(file, damaged);
    expect(prompt(bin, home), `byte ${at}`).toEqual(well);
    expect(promptsIn(home)).toBe(round + 1);
  }
});

test("cut short, empty, of another Node or missing, what was compiled ahead is not used", () => {
  const bin = copied();
  const home = folder();
  const file = join(bin, `reprise-hook-main${ending}`);
  const whole = readFileSync(file);
  const other = Buffer.from(whole);
  // Both halves say alike that they are of another V8.
  const half = whole.length / 2;
  for (const start of [0, half]) other[start + 4 + whole.readUInt32LE(0) + 4]! ^= 0xff;
  for (const content of [
    whole.subarray(0, 1_001),
    whole.subarray(0, 0),
    whole.subarray(0, 8),
    other,
  ]) {
    writeFileSync(file, content);
    expect(prompt(bin, home)).toEqual(well);
  }
  for (const name of readdirSync(bin))
    if (name.endsWith(".pack")) writeFileSync(join(bin, name), "");
  expect(prompt(bin, home)).toEqual(well);
  expect(existsSync(home)).toBe(true);
  expect(promptsIn(home)).toBe(5);
});
