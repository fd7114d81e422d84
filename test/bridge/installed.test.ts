import {
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { applyChange, registerSettings } from "../../src/bridge/install/installed.ts";
import { record } from "../../src/log/journal.ts";
import { describeEntry } from "../../src/store/describe-entry.ts";
import { folderHome } from "../../src/store/home.ts";
import { undo, undoableEntries } from "../../src/store/undo.ts";
import { folder } from "./folder.ts";

beforeAll(registerSettings);

const after = "{}\n";

test("a change that cannot be written is not offered to undo, and what was done before still is", async () => {
  const root = folder();
  const home = folderHome(join(root, "home"));
  const file = join(root, "settings.json");
  writeFileSync(join(root, ".claude"), "a file, not a folder");
  applyChange(home, { agent: "claude-code", file, after });
  const impossible = join(root, ".claude", "settings.json");
  expect(() => applyChange(home, { agent: "claude-code", file: impossible, after })).toThrow(
    expect.objectContaining({ code: "write_failed" }),
  );
  expect(undoableEntries(home)).toHaveLength(1);
  expect((await undo(home)).did).toContain(file);
  expect(existsSync(file)).toBe(false);
});

test("an entry about a change that never came to be is undone by finding the file as it was", async () => {
  const root = folder();
  const home = folderHome(join(root, "home"));
  const file = join(root, "settings.json");
  mkdirSync(home.root, { recursive: true });
  record(home.journal, "settings", {
    agent: "codex",
    file,
    folders: [],
    afterSha256: "0".repeat(64),
  });
  const [entry] = undoableEntries(home);
  // An entry of an older version does not say what it was about.
  expect(describeEntry(home, entry!).says).toBe(`change of ${file}`);
  expect((await undo(home)).did).toContain("as it was");
  expect(undoableEntries(home)).toHaveLength(0);
  record(home.journal, "settings", {
    agent: "codex",
    file,
    folders: [],
    afterSha256: "0".repeat(64),
  });
  writeFileSync(file, "theirs");
  await expect(undo(home)).rejects.toMatchObject({ code: "conflict" });
  expect(readFileSync(file, "utf8")).toBe("theirs");
});

test("a link that leads nowhere is refused and stays a link", () => {
  const root = folder();
  const home = folderHome(join(root, "home"));
  const file = join(root, "settings.json");
  symlinkSync("dotfiles/settings.json", file);
  expect(() => applyChange(home, { agent: "claude-code", file, after })).toThrow(
    expect.objectContaining({ code: "bad_input" }),
  );
  expect(readlinkSync(file)).toBe("dotfiles/settings.json");
  expect(undoableEntries(home)).toHaveLength(0);
});
