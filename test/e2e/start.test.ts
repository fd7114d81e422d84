import { spawnSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../temporary-folder.mjs";
import { program } from "./program.ts";

const folder = temporaryFolder();
const bin = join(folder, "bin");
const packs = (): readonly string[] =>
  readdirSync(bin).filter((name) => /^program-.*\.pack$/.test(name));

beforeEach(() => {
  rmSync(bin, { recursive: true, force: true });
  cpSync(dirname(program), bin, { recursive: true });
});

function listed(): { readonly stdout: string; readonly stderr: string } {
  const env = { PATH: process.env["PATH"], HOME: folder, TZ: "UTC" };
  const argv = [join(bin, "reprise.js"), "--sample", "list", "--json"];
  const { stdout, stderr } = spawnSync(process.execPath, argv, { env, encoding: "utf8" });
  return { stdout, stderr };
}

test("the build compiles the program ahead for its own version of Node", () => {
  expect(packs()).toEqual([`program-${process.version}-${process.arch}.pack`]);
  const text = readFileSync(join(bin, packs()[0]!), "latin1");
  expect(text).not.toContain(dirname(dirname(dirname(program))));
});

test("what is always loaded together is compiled together, and every chunk is in the pack", () => {
  const text = readFileSync(join(bin, packs()[0]!), "latin1");
  const { groups, chunks } = JSON.parse(text.slice(0, text.indexOf("\n"))) as {
    readonly groups: readonly unknown[];
    readonly chunks: Readonly<Record<string, unknown>>;
  };
  const files = readdirSync(join(bin, "program")).filter((file) => !file.includes("-thread"));
  expect(Object.keys(chunks).sort()).toEqual(files.map((file) => `./${file}`).sort());
  expect(groups.length).toBeLessThan(files.length * 0.7);
});

test("the program says the same without what was compiled ahead", () => {
  const expected = listed();
  expect(expected.stderr).toBe("");
  for (const name of packs()) rmSync(join(bin, name));
  expect(listed()).toEqual(expected);
});

test("the program says the same where what was compiled ahead does not fit or is cut short", () => {
  const expected = listed();
  const [name] = packs();
  const pack = join(bin, name!);
  const bytes = readFileSync(pack);
  const { groups } = JSON.parse(bytes.toString("latin1", 0, bytes.indexOf("\n"))) as {
    readonly groups: readonly (readonly [at: number, text: number, code: number])[];
  };
  const changed = Buffer.from(bytes);
  const begin = bytes.indexOf("\n") + 1;
  // The code of another version of V8 has another first word.
  for (const [at, text] of groups) changed.fill(0xff, begin + at + text, begin + at + text + 8);
  writeFileSync(pack, changed);
  expect(listed()).toEqual(expected);
  for (const length of [bytes.length - 1, bytes.length >> 1, begin, 10, 0]) {
    writeFileSync(pack, bytes.subarray(0, length));
    expect(listed()).toEqual(expected);
  }
});
