import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { keptNotes } from "../../src/agents/kept-notes.ts";
import { loadMemories, memoryNames, publishNames } from "../../src/agents/registry.ts";
import type { Environment } from "../../src/base/env.ts";
import { limits } from "../../src/base/limits.ts";
import { temporaryFolder } from "../temporary-folder.mjs";

/** A machine with a project that has git, and files by their paths below it. */
function machine(files: Readonly<Record<string, string>> = {}, inner = "") {
  const home = temporaryFolder();
  const project = join(home, "project");
  mkdirSync(join(project, ".git"), { recursive: true });
  mkdirSync(join(project, inner), { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  const env: Environment = {
    home,
    cwd: join(project, inner),
    platform: "linux",
    variables: { HOME: home },
  };
  return { home, project, env };
}

const slug = (path: string): string => path.replace(/[^A-Za-z0-9]/g, "-");
const fixture = (path: string): string =>
  fileURLToPath(new URL(`../fixtures/${path}`, import.meta.url));

async function said(env: Environment): Promise<readonly string[]> {
  return (await keptNotes(env)).map(({ agent, scope, text }) => `${agent} ${scope}: ${text}`);
}

describe("agents' own memories", () => {
  test("the pages of every agent are read, of the project and of the user", async () => {
    const { home, project, env } = machine(
      {
        "project/AGENTS.md": "- from agents",
        "project/CLAUDE.md": "- from claude",
        "project/.claude/rules/a.md": "- from a rule of claude",
        "project/CLAUDE.local.md": "- from claude, local",
        "project/GEMINI.md": "- from gemini",
        "project/AGENTS.override.md": "- from codex alone",
        "project/.cursorrules": "- from old cursor",
        "project/.cursor/rules/deep/b.mdc": "---\nalwaysApply: true\n---\n- from cursor",
        "project/.cursor/rules/handoff-x.mdc": "- handed over by us",
        "project/.github/copilot-instructions.md": "- from copilot",
        "project/part/AGENTS.md": "- from a part",
        ".claude/CLAUDE.md": "- of the user, claude",
        ".codex/AGENTS.md": "- of the user, codex",
        ".codex/memories/MEMORY.md": "- noted by codex",
        ".gemini/GEMINI.md": "## Gemini Added Memories\n- of the user, gemini",
        ".gemini/projects.json": "{}",
        ".config/opencode/AGENTS.md": "- of the user, opencode",
      },
      "part",
    );
    const memory = join(home, ".claude/projects", slug(project), "memory");
    mkdirSync(memory, { recursive: true });
    writeFileSync(join(memory, "MEMORY.md"), "- [Topic](topic.md) noted by claude");
    writeFileSync(join(memory, "topic.md"), "---\nname: topic\n---\nnoted in a topic");
    const own = { projects: { [project]: "project-1", [home]: "../evil" } };
    writeFileSync(join(home, ".gemini/projects.json"), JSON.stringify(own));
    mkdirSync(join(home, ".gemini/tmp/project-1/memory"), { recursive: true });
    writeFileSync(join(home, ".gemini/tmp/project-1/memory/MEMORY.md"), "- noted by gemini");
    expect((await said(env)).toSorted()).toEqual(
      [
        "agents-md project: from agents",
        "agents-md project: from a part",
        "claude-code project: from claude",
        "claude-code project: from a rule of claude",
        "claude-code project: from claude, local",
        "claude-code project: [Topic](topic.md) noted by claude",
        "claude-code project: noted in a topic",
        "claude-code user: of the user, claude",
        "codex project: from codex alone",
        "codex user: of the user, codex",
        "codex user: noted by codex",
        "gemini-cli project: from gemini",
        "gemini-cli project: noted by gemini",
        "gemini-cli user: of the user, gemini",
        "opencode user: of the user, opencode",
        "copilot-cli project: from copilot",
        "cursor project: from old cursor",
        "cursor project: from cursor",
      ].toSorted(),
    );
    const [first] = await keptNotes(env, { agents: ["gemini-cli"], scopes: ["user"] });
    expect(first).toMatchObject({ heading: "Gemini Added Memories", line: 2 });
  });

  test("databases of claude-flow, CrewAI and Cursor are read too", async () => {
    const { home, project, env } = machine();
    cpSync(fixture("claude-flow/3.43.0/memory/project"), project, { recursive: true });
    cpSync(fixture("claude-flow/2.7.47/basic-json/project"), project, { recursive: true });
    cpSync(fixture("crewai/1.15.17/storage/.local"), join(home, ".local"), { recursive: true });
    cpSync(fixture("cursor/constructed/ide-2026/.config"), join(home, ".config"), {
      recursive: true,
    });
    const notes = await keptNotes(env);
    const agents = new Set(notes.map(({ agent }) => agent));
    expect([...agents].toSorted()).toEqual(["claude-flow", "crewai", "cursor"]);
    expect(notes.map(({ text }) => text).join("\n")).not.toContain("__type__");
    const hooks = machine();
    cpSync(fixture("claude-flow/2.7.47/memory-hooks/project"), hooks.project, { recursive: true });
    const headings = (await keptNotes(hooks.env)).map(({ heading }) => heading ?? "");
    expect(headings.some((key) => /^(?:task|session|file-history):/.test(key))).toBe(false);
  });

  test("a page that leads out of its project, is a folder or is too large is passed over", async () => {
    const { home, project, env } = machine({
      "private.md": "- a secret of the user",
      "project/docs/rules.md": "- within the project",
      "project/GEMINI.md": `- ${"long ".repeat(100_000)}`,
    });
    symlinkSync(join(home, "private.md"), join(project, "CLAUDE.md"));
    symlinkSync("docs/rules.md", join(project, "AGENTS.md"));
    mkdirSync(join(project, ".cursorrules"));
    expect(await said(env)).toEqual(["agents-md project: within the project"]);
  });

  test("one long note is cut, and many are bounded", async () => {
    const { env } = machine({
      "project/AGENTS.md": `${"word ".repeat(1_000)}\n\n${"- a\n".repeat(3_000)}`,
    });
    const notes = await keptNotes(env);
    expect(notes).toHaveLength(limits.agentNotes);
    expect(notes[0]!.text).toHaveLength(limits.agentNoteChars);
  });

  test("in the home folder a page of the user stays the user's", async () => {
    const { home, env } = machine({ ".claude/CLAUDE.md": "- of the user" });
    expect(await said({ ...env, cwd: home })).toEqual(["claude-code user: of the user"]);
  });

  test("every place that is named for publishing has a page, and no other", async () => {
    expect(publishNames).toEqual(["agents-md", "claude-code", "codex", "gemini-cli", "cursor"]);
    const { home, project, env } = machine({}, "part");
    const page = async (name: string, scope: "user" | "project") =>
      (await loadMemories(name))?.publish?.page(scope, env);
    for (const name of memoryNames)
      expect((await page(name, "project")) !== undefined).toBe(publishNames.includes(name));
    expect(await page("agents-md", "project")).toBe(join(project, "AGENTS.md"));
    expect(await page("agents-md", "user")).toBeUndefined();
    expect(await page("claude-code", "project")).toBe(join(project, "CLAUDE.md"));
    expect(await page("claude-code", "user")).toBe(join(home, ".claude/CLAUDE.md"));
    expect(await page("codex", "project")).toBe(join(project, "AGENTS.md"));
    expect(await page("codex", "user")).toBe(join(home, ".codex/AGENTS.md"));
    expect(await page("gemini-cli", "project")).toBe(join(project, "GEMINI.md"));
    expect(await page("gemini-cli", "user")).toBe(join(home, ".gemini/GEMINI.md"));
    expect(await page("cursor", "project")).toBe(join(project, ".cursor/rules/reprise.mdc"));
    expect(await page("cursor", "user")).toBeUndefined();
  });

  test("what an agent reads instead of its usual page is the page", async () => {
    const { project, env } = machine({
      "project/AGENTS.override.md": "",
      "project/.claude/CLAUDE.md": "",
      "project/.gemini/settings.json": '{"context":{"fileName":["../../x.md","CONTEXT.md"]}}',
    });
    const page = async (name: string) => (await loadMemories(name))?.publish?.page("project", env);
    expect(await page("codex")).toBe(join(project, "AGENTS.override.md"));
    expect(await page("claude-code")).toBe(join(project, ".claude/CLAUDE.md"));
    expect(await page("gemini-cli")).toBe(join(project, "CONTEXT.md"));
  });
});
