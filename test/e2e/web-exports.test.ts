import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { zipSync } from "fflate";
import { expect, test } from "vitest";
import { type Machine, machine, program, root } from "./program.ts";

const fixtures = join(root, "test", "fixtures", "web-export", "constructed");
const opencode = join(root, "test", "fixtures", "opencode", "1.18.33", "plain");
const takeout = "Takeout/My Activity/Gemini Apps/MyActivity.json";

/** An export as people get it. */
function exportOf(service: string, { home }: Machine): string {
  const name = service === "gemini" ? takeout : "conversations.json";
  const path = join(home, `${service}.zip`);
  writeFileSync(path, zipSync({ [name]: readFileSync(join(fixtures, service, name)) }));
  return path;
}

interface Listed {
  readonly total: number;
  readonly sessions: readonly {
    readonly ref: string;
    readonly title?: string;
    readonly group: { readonly name: string };
  }[];
}

const listed = ({ run }: Machine, ...flags: readonly string[]): Listed =>
  JSON.parse(run("list", ...flags, "--json").stdout) as Listed;

test("conversations of an export come with one command, stay out of the list, are found, and go with one undo", () => {
  const one = machine();
  const path = exportOf("chatgpt", one);
  const made = one.json("import", path) as unknown as { refs: readonly string[]; from: string };
  expect(made.refs).toHaveLength(2);
  expect(listed(one).total).toBe(0);
  const all = listed(one, "--all");
  expect(all.sessions.map(({ ref }) => ref).sort()).toEqual([...made.refs].sort());
  expect(new Set(all.sessions.map(({ group }) => group.name))).toEqual(new Set(["ChatGPT"]));
  expect(listed(one, "--project", "ChatGPT").total).toBe(2);
  expect(one.run("search", "branch", "please").stdout).toContain("Name for a branch");
  expect(one.run("show", "Name for a branch").stdout).toContain("feature/port-9090");
  expect(one.run("show", made.refs[0]!).stdout).toContain("18180");
  // It belongs to no project.
  expect(one.json("continue")).toMatchObject({ isNew: true });
  expect(one.run("undo", "--list").stdout).toContain("import of 2 sessions");
  expect(one.run("undo").stderr).toContain("removed 2 sessions");
  expect(listed(one, "--all").total).toBe(0);
  expect(existsSync(join(one.home, ".reprise", "sessions"))).toBe(false);
});

test("what was continued since it was imported stays, the rest goes", () => {
  const one = machine();
  const path = exportOf("claude-ai", one);
  const { refs } = one.json("import", path) as unknown as { refs: readonly string[] };
  const more = `${JSON.stringify({ type: "user", content: "One more question" })}\n`;
  expect(one.runWith({ input: more }, "append", refs[0]!).status).toBe(0);
  expect(one.run("undo").stderr).toMatch(
    /removed 1 session of the import, 1 session changed since/,
  );
  expect(listed(one, "--all").sessions.map(({ ref }) => ref)).toEqual([refs[0]]);
});

test("an export is a source: searched without being imported, listed if asked for", () => {
  const one = machine();
  const path = exportOf("gemini", one);
  expect(one.json("sources", "add", path)).toMatchObject({
    holds: [{ agent: "web-export", sessions: 2 }],
  });
  expect(listed(one).total).toBe(0);
  expect(listed(one, "--agent", "web-export").total).toBe(2);
  expect(listed(one, "--all").total).toBe(2);
  const found = one.json("search", "README");
  expect(JSON.stringify(found)).toContain("web-export:gemini-2026-01-02");
  expect(one.run("show", "web-export:gemini-2026-01-02").stdout).toContain("The README says 3000");
  expect(one.run("undo").status).toBe(0);
  expect(listed(one, "--all").total).toBe(0);
});

test("a zip without conversations is refused", () => {
  const one = machine();
  const path = join(one.home, "other.zip");
  writeFileSync(path, zipSync({ "photo.jpg": new Uint8Array(10) }));
  expect(one.run("import", path).status).not.toBe(0);
  expect(one.run("sources", "add", path).status).toBe(1);
});

const targets = [
  "reprise",
  "claude-code",
  "codex",
  "gemini-cli",
  "opencode",
  "pi",
  "aider",
  "copilot-cli",
  "qwen-code",
];

test.each(["chatgpt", "claude-ai", "gemini"])(
  "conversations of %s continue in other agents",
  (service) => {
    const one = machine();
    // OpenCode makes its database itself; nothing is written before.
    const database = join(".local", "share", "opencode");
    cpSync(join(opencode, database), join(one.home, database), { recursive: true });
    one.json("sources", "add", exportOf(service, one));
    const [first] = listed(one, "--agent", "web-export").sessions;
    for (const target of targets) {
      const { status, stderr, stdout } = one.run("fork", first!.ref, "--in", target, "--json");
      expect(status, `${target}: ${stderr}`).toBe(0);
      const { ref } = JSON.parse(stdout) as { ref: string };
      expect(one.run("show", ref).stdout, target).toMatch(
        /feature\/port-9090|18180|3000|What shall/,
      );
    }
  },
  60_000,
);

test("an import that was killed at any step leaves no conversation", () => {
  const one = machine();
  const path = exportOf("chatgpt", one);
  for (const point of [
    "addition.staged:2",
    "addition.intended",
    "addition.linked",
    "addition.published:2",
  ]) {
    const { signal } = spawnSync(process.execPath, [program, "import", path], {
      cwd: one.cwd,
      env: { ...one.env, REPRISE_FAILPOINT: point },
    });
    expect(signal, point).toBe("SIGKILL");
    // The next command that changes something settles it.
    one.run("new", "--title", "settles");
    expect(listed(one, "--project", "ChatGPT").total, point).toBe(0);
  }
  expect((one.json("import", path)["refs"] as readonly string[]).length).toBe(2);
  expect(listed(one, "--project", "ChatGPT").total).toBe(2);
});
