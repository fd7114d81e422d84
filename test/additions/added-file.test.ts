import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { removeAdded } from "../../src/additions/added-file.ts";
import {
  appendPiece,
  isStillLast,
  type PiecePrint,
  pieceIn,
  removePiece,
  stagePiece,
} from "../../src/additions/added-piece.ts";
import { Running } from "../../src/additions/running.ts";
import { StagedFile } from "../../src/additions/staged-file.ts";
import { type Disk, disk } from "../../src/base/disk.ts";
import { limits } from "../../src/base/limits.ts";
import { temporaryFolder } from "../temporary-folder.mjs";

const root = temporaryFolder();
let count = 0;
function folder(): string {
  count += 1;
  const path = join(root, String(count));
  mkdirSync(path);
  return path;
}

function failing(code: string, at: keyof Disk, afterCalls = 0): Disk {
  let calls = 0;
  return {
    ...disk,
    [at]: (...args: unknown[]) => {
      calls += 1;
      if (calls > afterCalls) throw Object.assign(new Error(code), { code });
      return (disk[at] as (...given: unknown[]) => unknown)(...args);
    },
  };
}

describe("a file added to a folder of others", () => {
  test("has no name before it is complete, and then all of it", () => {
    const at = folder();
    const file = new StagedFile(join(at, "new/s.jsonl"));
    const line = `${"é".repeat(1000)}\n`;
    for (let index = 0; index < 500; index += 1) file.write(line);
    expect(existsSync(join(at, "new/s.jsonl"))).toBe(false);
    const print = file.publish();
    expect(readFileSync(print.path, "utf8")).toBe(line.repeat(500));
    expect(print).toMatchObject({ sizeBytes: 500 * 2001, folders: [join(at, "new")] });
    expect(readdirSync(join(at, "new"))).toEqual(["s.jsonl"]);
  });

  test("never takes a name that is there, and leaves what is there alone", () => {
    const at = folder();
    writeFileSync(join(at, "s"), "theirs");
    const file = new StagedFile(join(at, "s"));
    file.write("ours");
    expect(() => file.publish()).toThrow(expect.objectContaining({ code: "session_exists" }));
    expect(readdirSync(at)).toEqual(["s"]);
    expect(readFileSync(join(at, "s"), "utf8")).toBe("theirs");
  });

  test("goes with the folders that were made for it, and only while it is untouched", () => {
    const at = folder();
    const make = () => {
      const file = new StagedFile(join(at, "a/b/s"));
      file.write("x");
      return file.publish();
    };
    removeAdded([make()]);
    expect(readdirSync(at)).toEqual([]);
    const print = make();
    writeFileSync(print.path, "y");
    expect(() => removeAdded([print])).toThrow(expect.objectContaining({ code: "conflict" }));
    expect(readFileSync(print.path, "utf8")).toBe("y");
  });

  test("leaves a folder in which others have put something", () => {
    const at = folder();
    const file = new StagedFile(join(at, "a/s"));
    const print = file.publish();
    writeFileSync(join(at, "a/theirs"), "");
    removeAdded([print]);
    expect(readdirSync(join(at, "a"))).toEqual(["theirs"]);
  });

  test.each(["EACCES", "EROFS", "EPERM"])("is refused clearly where the folder says %s", (code) => {
    const at = folder();
    expect(() => new StagedFile(join(at, "a/s"), { disk: failing(code, "openAppend") })).toThrow(
      expect.objectContaining({ code: "no_permission" }),
    );
    expect(readdirSync(at)).toEqual([]);
  });

  test.each(["write", "syncNow", "link"] as const)("leaves nothing where %s fails", (step) => {
    const at = folder();
    const file = new StagedFile(join(at, "a/s"), { disk: failing("ENOSPC", step) });
    const all = (): void => {
      file.write("x".repeat(limits.chunkBytes));
      file.publish();
    };
    expect(all).toThrow(expect.objectContaining({ code: "write_failed" }));
    expect(readdirSync(at)).toEqual([]);
  });
});

/** Appends a text as a piece. */
function append(path: string, text: string, on: Disk = disk): PiecePrint {
  const piece = stagePiece(path, text);
  appendPiece(piece, on);
  return piece.print;
}

describe("a piece appended to a file of others", () => {
  test("begins on a line of its own and is cut off exactly", () => {
    const path = join(folder(), "index");
    writeFileSync(path, "theirs");
    const piece = append(path, "ours\n");
    expect(readFileSync(path, "utf8")).toBe("theirs\nours\n");
    removePiece(pieceIn(JSON.parse(JSON.stringify(piece)))!);
    expect(readFileSync(path, "utf8")).toBe("theirs");
  });

  test("makes the file where there is none, and takes it away again", () => {
    const at = folder();
    const piece = append(join(at, "index"), "ours\n");
    expect(isStillLast(piece)).toBe(true);
    removePiece(piece);
    expect(readdirSync(at)).toEqual([]);
  });

  test.each(["ours\nmore\n", "OURS\n", "ou"])("stays where the file became %j", (now) => {
    const path = join(folder(), "index");
    const piece = append(path, "ours\n");
    writeFileSync(path, now);
    expect(() => removePiece(piece)).toThrow(expect.objectContaining({ code: "conflict" }));
    expect(readFileSync(path, "utf8")).toBe(now);
  });

  test("is passed over where it is gone, so that a removal can be done again", () => {
    const path = join(folder(), "index");
    writeFileSync(path, "theirs\n");
    const piece = append(path, "ours\n");
    removePiece(piece);
    removePiece(piece);
    expect(readFileSync(path, "utf8")).toBe("theirs\n");
    const other = append(join(folder(), "index"), "ours\n");
    writeFileSync(other.path, "");
    removePiece(other);
    expect(readFileSync(other.path, "utf8")).toBe("");
  });

  test("that a kill cut short is taken away by the bytes that were kept of it", () => {
    const at = folder();
    const path = join(at, "index");
    writeFileSync(path, "theirs\n");
    const running = new Running(join(at, "running"));
    const { print } = stagePiece(path, "ours, and long\n", { staging: running });
    appendFileSync(path, "ours, an");
    removePiece(pieceIn(JSON.parse(JSON.stringify(print)))!);
    expect(readFileSync(path, "utf8")).toBe("theirs\n");
    appendFileSync(path, "yours, a");
    expect(() => removePiece(print)).toThrow(expect.objectContaining({ code: "conflict" }));
    running.end();
    expect(readdirSync(join(at, "running"))).toEqual([]);
  });

  test("is not written behind what came since it was staged", () => {
    const path = join(folder(), "index");
    const piece = stagePiece(path, "ours\n");
    writeFileSync(path, "theirs");
    expect(() => appendPiece(piece)).toThrow(expect.objectContaining({ code: "conflict" }));
    expect(readFileSync(path, "utf8")).toBe("theirs");
  });

  test("leaves the file as it was where the disk takes only a part", () => {
    const path = join(folder(), "index");
    writeFileSync(path, "theirs\n");
    const short: Disk = { ...disk, write: (fd, bytes) => disk.write(fd, bytes.subarray(0, 2)) };
    expect(() => append(path, "ours\n", short)).toThrow(
      expect.objectContaining({ code: "write_failed" }),
    );
    expect(readFileSync(path, "utf8")).toBe("theirs\n");
  });
});
