import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { errorHints } from "../../src/base/errors.ts";
import { openForReading } from "../../src/base/open-file.ts";
import { systemError, writeError } from "../../src/base/system-error.ts";
import { temporaryFolder } from "../temporary-folder.mjs";

const folder = temporaryFolder();

const said = (errno: string): Error => Object.assign(new Error(errno), { code: errno });

test.each([
  ["ENOENT", "not_found"],
  ["ENOTDIR", "not_found"],
  ["EACCES", "no_permission"],
  ["EROFS", "no_permission"],
  ["ELOOP", "not_a_file"],
  ["EMFILE", "too_many_files"],
  ["EIO", "failed"],
  ["ENOSPC", "write_failed"],
  ["EWHATEVER", "failed"],
])("%s is told as %s, with a hint that fits it", (errno, code) => {
  const error = systemError(said(errno), "It failed.");
  expect(error).toMatchObject({ code, message: "It failed." });
  expect(error.hint.includes("disk may be full")).toBe(errno === "ENOSPC");
});

test("only a full disk is called one: a write that failed otherwise says what it was", () => {
  const hintOf = (cause: unknown): string => writeError(cause, "It failed.").hint;
  expect(hintOf(said("ENOSPC"))).toContain("The disk may be full.");
  // A write that took a part of the bytes says nothing.
  expect(hintOf(undefined)).toContain("The disk may be full.");
  for (const errno of ["EIO", "EMFILE", "ELOOP", "EROFS", "EDQUOT", "EFBIG", "EWHATEVER"])
    expect(hintOf(said(errno))).not.toContain("disk may be full");
  expect(hintOf(said("EACCES"))).toBe(errorHints.no_permission);
  for (const hint of Object.values(errorHints)) expect(hint).not.toContain("disk may be full");
});

test("what cannot be opened says why, at once", () => {
  writeFileSync(join(folder, "file"), "");
  mkdirSync(join(folder, "folder"));
  symlinkSync("loop", join(folder, "loop"));
  const opening = (name: string) => () => openForReading(join(folder, name));
  expect(opening("nothing")).toThrow(expect.objectContaining({ code: "not_found" }));
  expect(opening("file/below")).toThrow(
    /below cannot be opened: a part of its path is not a folder \(ENOTDIR\)\./,
  );
  expect(opening("folder")).toThrow(expect.objectContaining({ code: "not_a_file" }));
  expect(opening("loop")).toThrow(
    /loop cannot be opened: its symbolic links lead in a circle \(ELOOP\)\./,
  );
});
