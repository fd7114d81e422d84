import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { program } from "./program.ts";

const folder = mkdtempSync(join(tmpdir(), "reprise-start-"));
const bin = join(folder, "bin");
const packs = (): readonly string[] => readdirSync(bin).filter((name) => name.endsWith(".pack"));

beforeEach(() => {
  rmSync(bin, { recursive: true, force: true });
  cpSync(dirname(program), bin, { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What a list says, whose chunks are loaded one by one, and a search, whose chunks come together. */
function said(): readonly { readonly stdout: string; readonly stderr: string }[] {
  const env = { PATH: process.env["PATH"], HOME: folder, TZ: "UTC" };
  return [
    ["--sample", "list", "--json"],
    ["search", "docker", "--json"],
  ].map((line) => {
    const argv = [join(bin, "reprise.js"), ...line];
    const { stdout, stderr } = spawnSync(process.execPath, argv, { env, encoding: "utf8" });
    return { stdout, stderr };
  });
}

test("the build compiles the program ahead for its own version of Node", () => {
  expect(packs()).toEqual([`program-${process.version}-${process.arch}.pack`]);
  const text = readFileSync(join(bin, packs()[0]!), "latin1");
  expect(text).not.toContain(dirname(dirname(dirname(program))));
});

test("the program says the same without what was compiled ahead", () => {
  const expected = said();
  for (const { stdout, stderr } of expected) {
    expect(JSON.parse(stdout)).toBeTypeOf("object");
    expect(stderr).toBe("");
  }
  for (const name of packs()) rmSync(join(bin, name));
  expect(said()).toEqual(expected);
});

test("the program says the same where what was compiled ahead does not fit or is cut short", () => {
  const expected = said();
  const [name] = packs();
  const pack = join(bin, name!);
  const bytes = readFileSync(pack);
  const index = JSON.parse(bytes.toString("latin1", 0, bytes.indexOf("\n"))) as Readonly<
    Record<"chunks" | "sets", Readonly<Record<string, readonly [number, number, number]>>>
  >;
  const changed = Buffer.from(bytes);
  const begin = bytes.indexOf("\n") + 1;
  // The code of another version of V8 has another first word.
  for (const [at, text] of Object.values({ ...index.chunks, ...index.sets }))
    changed.fill(0xff, begin + at + text, begin + at + text + 8);
  writeFileSync(pack, changed);
  expect(said()).toEqual(expected);
  for (const length of [bytes.length - 1, bytes.length >> 1, begin, 10, 0]) {
    writeFileSync(pack, bytes.subarray(0, length));
    expect(said()).toEqual(expected);
  }
});
