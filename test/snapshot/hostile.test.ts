import { spawnSync } from "node:child_process";
import {
  chownSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { restoreFiles } from "../../src/snapshot/restore/restore.ts";
import { undo } from "../../src/store/undo.ts";
import { temporaryFolder } from "../temporary-folder.mjs";
import { type Project, project, stateOf } from "./project.ts";

let here: Project;
beforeEach(() => {
  here = project();
});

const undone = () => undo(here.home, undefined, here.env);

describe("hostile trees are reported, and nothing outside of the folder is touched", () => {
  test("links in circles, to /etc, to the folder above: they come back as links and are deleted as links", async () => {
    const outside = join(here.root, "outside");
    mkdirSync(outside);
    writeFileSync(join(outside, "precious.txt"), "precious\n");
    const links = { one: "two", two: "one", etc: "/etc", up: "..", self: ".", out: outside };
    for (const [name, target] of Object.entries(links)) symlinkSync(target, here.path(name));
    const checkpoint = here.checkpoint();
    const before = stateOf(here.folder);
    for (const name of Object.keys(links)) rmSync(here.path(name));
    const empty = here.checkpoint();
    await restoreFiles(here.tree, { target: checkpoint });
    expect(stateOf(here.folder)).toEqual(before);
    await restoreFiles(here.tree, { target: empty });
    expect(stateOf(here.folder)).toEqual(new Map());
    expect(stateOf(outside)).toEqual(new Map([["precious.txt", "file 644 precious\n"]]));
  });

  test("a link in the place of a folder, and of a file, is replaced itself", async () => {
    const outside = join(here.root, "outside");
    mkdirSync(outside);
    writeFileSync(join(outside, "a.txt"), "theirs\n");
    here.write("src/a.txt", "ours\n");
    here.write("b.txt", "ours\n");
    const checkpoint = here.checkpoint();
    rmSync(here.path("src"), { recursive: true });
    rmSync(here.path("b.txt"));
    symlinkSync(outside, here.path("src"));
    symlinkSync(join(outside, "a.txt"), here.path("b.txt"));
    await restoreFiles(here.tree, { target: checkpoint });
    expect(here.read("src/a.txt")).toBe("ours\n");
    expect(here.read("b.txt")).toBe("ours\n");
    expect(stateOf(outside)).toEqual(new Map([["a.txt", "file 644 theirs\n"]]));
    await undone();
    expect(readlinkSync(here.path("src"))).toBe(outside);
  });

  test("pipes and sockets are left where they are, and nobody waits for them", async () => {
    here.write("a", "one\n");
    here.write("b", "one\n");
    here.write("c/inner", "one\n");
    const checkpoint = here.checkpoint();
    rmSync(here.path("a"));
    rmSync(here.path("b"));
    expect(spawnSync("mkfifo", [here.path("a")]).status).toBe(0);
    const server = createServer().listen(here.path("b"));
    await new Promise((resolve) => server.once("listening", resolve));
    here.write("c/inner", "two\n");
    mkdirSync(here.path("new"));
    expect(spawnSync("mkfifo", [here.path("new/pipe")]).status).toBe(0);
    try {
      const { left } = await restoreFiles(here.tree, { target: checkpoint });
      const why = "it could not be saved first: it is neither file, folder nor link";
      expect(left).toEqual([
        { path: "a", why },
        { path: "b", why },
        { path: "new", why: "something in it is not covered" },
      ]);
      expect(here.read("c/inner")).toBe("one\n");
    } finally {
      server.close();
    }
  });

  test("names with line breaks, control characters, no UTF-8, and names that differ by case alone", async () => {
    const names = ["a\nb", "\u001b[31m", "A.txt", "a.txt", "-rf", "*", "$(touch x)", "\u202e", "é"];
    for (const name of names) here.write(name, `${JSON.stringify(name)}\n`);
    const bytes = Buffer.concat([Buffer.from(`${here.folder}/`), Buffer.of(0xff, 0xfe, 0x41)]);
    writeFileSync(bytes, "bytes\n");
    const checkpoint = here.checkpoint();
    rmSync(bytes);
    for (const name of names) if (name !== "a.txt") rmSync(here.path(name), { force: true });
    const { left } = await restoreFiles(here.tree, { target: checkpoint });
    expect(left).toEqual([]);
    expect(readFileSync(bytes, "utf8")).toBe("bytes\n");
    for (const name of names) expect(here.read(name)).toBe(`${JSON.stringify(name)}\n`);
  });

  test("what a user may not read is left and named; a folder made read-only is opened for a moment", () => {
    const root = temporaryFolder();
    const isRoot = process.getuid?.() === 0;
    const nobody = 65_534;
    if (isRoot) chownSync(root, nobody, nobody);
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [join(import.meta.dirname, "children", "as-user.mjs"), root],
      { encoding: "utf8", ...(isRoot && { uid: nobody, gid: nobody }) },
    );
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toEqual({
      left: [{ path: "b.txt", why: "it could not be saved first: it cannot be read" }],
      shut: "one\n",
      mode: 0o555,
      unread: "two\n",
    });
  });
});
