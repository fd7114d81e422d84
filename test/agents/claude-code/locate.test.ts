import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { claudeCode } from "../../../src/agents/claude-code/index.ts";
import type { Environment } from "../../../src/base/env.ts";
import { temporaryFolder } from "../../temporary-folder.mjs";
import { fixtures, homeAt, lines, readAll, user } from "./store.ts";

const id = "0a0b0c0d-1111-4222-8333-444455556666";

function found(env: Environment): readonly string[] {
  return [...claudeCode.locate(env)].map(({ path }) => path).sort();
}

test("sessions lie below the home's .claude on every platform", () => {
  const home = temporaryFolder();
  const folder = join(home, ".claude", "projects", "p");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${id}.jsonl`), "{}\n");
  for (const platform of ["linux", "darwin", "win32"] as const) {
    const refs = [...claudeCode.locate(homeAt(home, { platform }))];
    expect(refs).toEqual([
      {
        agent: "claude-code",
        session: id,
        path: join(folder, `${id}.jsonl`),
        sizeBytes: 3,
        modifiedMs: statSync(join(folder, `${id}.jsonl`)).mtimeMs,
        root: join(home, ".claude"),
      },
    ]);
  }
});

test("CLAUDE_CONFIG_DIR moves everything; an empty one does not", () => {
  const home = temporaryFolder();
  const at = (root: string) => join(root, "projects", "p", `${id}.jsonl`);
  for (const root of [join(home, ".claude"), join(home, "elsewhere")]) {
    mkdirSync(join(root, "projects", "p"), { recursive: true });
    writeFileSync(at(root), "{}\n");
  }
  const moved = { CLAUDE_CONFIG_DIR: join(home, "elsewhere") };
  expect(found(homeAt(home, { variables: moved }))).toEqual([at(join(home, "elsewhere"))]);
  const relative = { CLAUDE_CONFIG_DIR: "elsewhere" };
  expect(found(homeAt("/nowhere", { variables: relative, cwd: home }))).toEqual([
    at(join(home, "elsewhere")),
  ]);
  const empty = { CLAUDE_CONFIG_DIR: "" };
  expect(found(homeAt(home, { variables: empty }))).toEqual([at(join(home, ".claude"))]);
});

test("without the program there is nothing, and nothing is thrown", () => {
  expect(found(homeAt(join(temporaryFolder(), "missing")))).toEqual([]);
  const odd = temporaryFolder();
  mkdirSync(join(odd, ".claude"));
  writeFileSync(join(odd, ".claude", "projects"), "a file");
  expect(found(homeAt(odd))).toEqual([]);
});

test("subagents' files, side files, other names and folders are no sessions; links to folders are followed", () => {
  const home = temporaryFolder();
  const projects = join(home, ".claude", "projects");
  const real = join(home, "real");
  mkdirSync(join(real, id, "subagents"), { recursive: true });
  mkdirSync(join(real, "folder.jsonl"));
  mkdirSync(projects, { recursive: true });
  symlinkSync(real, join(projects, "linked"));
  symlinkSync(join(home, "gone"), join(projects, "broken"));
  for (const name of [
    `${id}.jsonl`,
    "agent-0fbd5d1d.jsonl",
    "sessions-index.json",
    "..jsonl",
    "a b.jsonl",
    `${id}/subagents/agent-a1.jsonl`,
  ]) {
    writeFileSync(join(real, name), "{}\n");
  }
  writeFileSync(join(projects, `${id}.jsonl`), "{}\n");
  expect(found(homeAt(home))).toEqual([join(projects, "linked", `${id}.jsonl`)]);
});

test("a folder that may not be read hides only itself", () => {
  const home = temporaryFolder();
  for (const name of ["open", "shut"]) {
    const folder = join(home, ".claude", "projects", name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${id}.jsonl`), lines([user("u", null, "hi")]));
  }
  chmodSync(join(home, ".claude", "projects", "shut"), 0o000);
  try {
    expect(found(homeAt(home))).toContain(join(home, ".claude", "projects", "open", `${id}.jsonl`));
  } finally {
    chmodSync(join(home, ".claude", "projects", "shut"), 0o700);
  }
});

test("listing and reading leave the program's folder as it was", async () => {
  const home = temporaryFolder();
  for (const scenario of ["2.1.325/subagent", "2.1.325/unicode-long", "2.0.30/old-2.0.30"]) {
    cpSync(join(fixtures, scenario), home, { recursive: true });
  }
  const before = snapshot(home);
  const env = homeAt(home);
  for (const ref of claudeCode.locate(env)) {
    claudeCode.head(ref, env);
    await readAll(ref);
    await readAll(ref, { allBranches: true });
    await readAll(ref, { last: 3 });
  }
  expect(snapshot(home)).toEqual(before);
});

function snapshot(folder: string): readonly unknown[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => {
      const stat = statSync(path);
      const content = stat.isFile() ? readFileSync(path, "latin1") : "";
      return [path, stat.mode, stat.mtimeMs, stat.ino, content];
    });
}
