import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Environment } from "../../src/base/env.ts";
import { proposeSources } from "../../src/memory/agents/propose-sources.ts";
import { agentSources } from "../../src/memory/agents/sources.ts";
import { digestOf } from "../../src/memory/digest.ts";
import { openMemory } from "../../src/memory/memory.ts";
import { recall } from "../../src/memory/recall/recall.ts";
import { withBlock } from "../../src/model/marked-block.ts";
import { temporaryFolder } from "../temporary-folder.mjs";

function machine(files: Readonly<Record<string, string>>) {
  const home = temporaryFolder();
  const cwd = join(home, "project");
  mkdirSync(join(cwd, ".git"), { recursive: true });
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  };
  for (const [path, text] of Object.entries(files)) write(path, text);
  const env: Environment = { home, cwd, platform: "linux", variables: { HOME: home } };
  return { home, cwd, env, write, root: join(home, ".reprise") };
}

const masked = (text: string): string => text.replaceAll("hunter2", "[secret:x:0000]");

describe("agents' own memories as sources", () => {
  test("the same words in several pages are one source with all its origins", async () => {
    const { cwd, env } = machine({
      "project/AGENTS.md": "# Tests\n- Run `npm test` before you push.\n- The port is 8080.",
      "project/CLAUDE.md": "* run npm test before you push",
      ".gemini/GEMINI.md": "Run NPM TEST before you push!",
    });
    const sources = await agentSources(openMemory({ env }), { env });
    expect(sources.map(({ text }) => text)).toEqual([
      "Run `npm test` before you push.",
      "The port is 8080.",
    ]);
    expect(sources[0]!.origins).toEqual([
      { agent: "agents-md", path: join(cwd, "AGENTS.md"), line: 2, heading: "Tests" },
      { agent: "claude-code", path: join(cwd, "CLAUDE.md"), line: 1 },
      { agent: "gemini-cli", path: join(env.home, ".gemini/GEMINI.md"), line: 1 },
    ]);
  });

  test("they go to the inbox as imported, masked, once, and never into a digest before they are approved", async () => {
    const { env, cwd, root } = machine({
      "project/AGENTS.md": "- The port is 8080.\n- The password is hunter2.",
      ".claude/CLAUDE.md": "- I like short answers.",
    });
    const memory = openMemory({ env });
    const digest = () => digestOf({ root, cwd, reader: "codex", budgetTokens: 1_000 });
    const { added } = await proposeSources(memory, { env, scopes: ["project"], masked });
    expect(added.map(({ value }) => value)).toEqual([
      "The port is 8080.",
      "The password is [secret:x:0000].",
    ]);
    for (const entry of added)
      expect(entry).toMatchObject({ status: "proposed", provenance: "imported" });
    const again = await proposeSources(memory, { env, scopes: ["project"], masked });
    expect(again).toEqual({ added: [], known: 2 });
    expect(digest()).toBe("");
    await memory.update(added[0]!.id, { status: "kept" });
    expect(digest()).toContain('- "The port is 8080."');
    await memory.update(added[1]!.id, { status: "rejected" });
    const known = (await agentSources(memory, { env })).map(({ known: status }) => status);
    expect(known).toEqual(["kept", "rejected", undefined]);
  });

  test("what the user said already, rejected or forgot is not proposed", async () => {
    const { env } = machine({ "project/AGENTS.md": "- The port is 8080.\n- Use tabs always." });
    const memory = openMemory({ env });
    await memory.store({ key: "port", value: "the port is 8080" });
    const entry = await memory.store({ key: "tabs", value: "use tabs, always" });
    await memory.forget([entry.id]);
    expect(await proposeSources(memory, { env, masked })).toEqual({ added: [], known: 2 });
  });

  test("what was published is never read back, wherever it stands", async () => {
    const ours = withBlock("", "- the harbour word is quetzal");
    const { env } = machine({
      "project/AGENTS.md": `- theirs\n\n${ours}`,
      "project/CLAUDE.md": ours,
      "project/.cursor/rules/reprise.mdc": `---\nalwaysApply: true\n---\n\n${ours}`,
      ".codex/AGENTS.md": ours.replace("</reprise-context>", "cut off"),
    });
    const sources = await agentSources(openMemory({ env }), { env });
    expect(sources.map(({ text }) => text)).toEqual(["theirs"]);
    const { answers } = await recall("which harbour word", { env });
    expect(JSON.stringify(answers)).not.toContain("quetzal");
  });

  test("recall answers from them as quotations with their place, and from a memory of ours only once", async () => {
    const { cwd, env, write } = machine({
      "project/AGENTS.md": "# Server\n\n- The port of the server is 8080.\n- Other words.",
    });
    const ask = async () => (await recall("which port does the server use", { env })).answers;
    expect(await ask()).toMatchObject([
      {
        kind: "entry",
        ref: `${join(cwd, "AGENTS.md")}:3`,
        text: "The port of the server is 8080.",
        provenance: "imported",
        owner: "agents-md",
        origins: [{ agent: "agents-md", line: 3, heading: "Server" }],
      },
    ]);
    const memory = openMemory({ env });
    const { id } = await memory.store({ key: "port", value: "the port of the server is 8080" });
    expect(await ask()).toMatchObject([{ ref: id, provenance: "user" }]);
    await memory.forget([id]);
    expect(await ask()).toEqual([]);
    write("project/AGENTS.md", "- The server has another port: 9090.");
    expect(await ask()).toMatchObject([{ text: "The server has another port: 9090." }]);
    expect((await recall("server port", { env, from: "sessions" })).answers).toEqual([]);
  });

  test("another project's pages do not answer", async () => {
    const { home, cwd, env } = machine({ "project/AGENTS.md": "- The server's port is 8080." });
    const other = join(home, "other");
    mkdirSync(join(other, ".git"), { recursive: true });
    expect((await recall("server port", { env: { ...env, cwd: other } })).answers).toEqual([]);
    const elsewhere = await recall("server port", { env, namespace: "somewhere" });
    expect(elsewhere.answers).toEqual([]);
    rmSync(join(cwd, "AGENTS.md"));
    expect((await recall("server port", { env })).answers).toEqual([]);
  });
});
