import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { putClaudeSession } from "../../e2e/agents-home.ts";
import { type Machine, machine } from "../../e2e/program.ts";
import { openClient } from "./client.ts";

const id = "11111111-1111-4111-8111-111111111111";
const other = "22222222-2222-4222-8222-222222222222";

/** A machine with a session of this project and one of another. */
function furnished(): Machine {
  const here = machine();
  const elsewhere = join(here.home, "elsewhere");
  mkdirSync(elsewhere);
  putClaudeSession(here, { id }, [
    { user: "Where does the heron cache listen?", says: "The heron cache listens on port 7431." },
    { user: "And the queue?", says: "The queue has no port." },
  ]);
  putClaudeSession(here, { id: other, cwd: elsewhere }, [
    { user: "The heron of another project", says: "It nests elsewhere." },
  ]);
  return here;
}

describe("sessions", () => {
  test("a search names the sessions and events of this project, and those of others when it is asked to", async () => {
    const client = await openClient(furnished());
    const { text } = await client.call("search_sessions", { query: "heron cache" });
    expect(text).toContain(`claude-code:${id}@2`);
    expect(text).not.toContain(other);
    const wide = await client.call("search_sessions", { query: "heron", everywhere: true });
    expect(wide.text).toContain(`claude-code:${other}`);
    await client.close();
  });

  test("a reference from an answer can be used in the next call", async () => {
    const client = await openClient(furnished());
    const { text } = await client.call("list_sessions");
    const ref = /claude-code:[0-9a-f-]+/.exec(text)?.[0];
    const page = await client.call("get_session", { session: `${ref}@2` });
    expect(page.text).toContain("The heron cache listens on port 7431.");
    await client.close();
  });

  test("the pages of a session join to the whole of it", async () => {
    const here = machine();
    const turns = Array.from({ length: 40 }, (_, index) => ({
      user: `Question ${index} ${"word ".repeat(30)}`,
      says: `Answer ${index} ${"word ".repeat(60)}`,
    }));
    putClaudeSession(here, { id }, turns);
    const client = await openClient(here);
    const seen: string[] = [];
    let from: string | undefined;
    let pages = 0;
    do {
      const given = { session: id, max_tokens: 1_000, ...(from !== undefined && { from }) };
      const { text } = await client.call("get_session", given);
      seen.push(
        ...[...text.matchAll(/(?:Question|Answer) \d+/g)]
          .slice(pages === 0 ? 1 : 1)
          .map(([said]) => said),
      );
      from = /from: "([^"]+)"/.exec(text)?.[1];
      pages += 1;
    } while (from !== undefined && pages < 100);
    expect(pages).toBeGreaterThan(3);
    expect(seen).toEqual(turns.flatMap((_, index) => [`Question ${index}`, `Answer ${index}`]));
    await client.close();
  });

  test("the conversation that asks is not among what is found", async () => {
    const here = furnished();
    const client = await openClient(here, { name: "claude-code" });
    const now = "33333333-3333-4333-8333-333333333333";
    putClaudeSession(here, { id: now, ageMinutes: -1 }, [
      { user: "Which port has the heron cache?" },
    ]);
    const { text } = await client.call("search_sessions", { query: "heron cache port" });
    expect(text).not.toContain(now);
    expect(text).toContain(id);
    const stranger = await openClient(here, { name: "codex-mcp-client" });
    expect((await stranger.call("search_sessions", { query: "heron cache port" })).text).toContain(
      now,
    );
    await client.close();
    await stranger.close();
  });

  test("a question to us and what we answered are not found later", async () => {
    const here = machine();
    const answer =
      '<reprise-context v="1">\n<quote from="a" as="b">heron of old</quote>\n</reprise-context>';
    const use = {
      type: "tool_use",
      id: "t1",
      name: "mcp__reprise__recall",
      input: { question: "heron" },
    };
    const result = {
      type: "tool_result",
      tool_use_id: "t1",
      content: [{ type: "text", text: answer }],
    };
    putClaudeSession(here, { id }, [
      { user: "Go", says: "Yes" },
      { record: { type: "assistant", message: { role: "assistant", content: [use] } } },
      { record: { type: "user", message: { role: "user", content: [result] } } },
    ]);
    const client = await openClient(here);
    expect((await client.call("search_sessions", { query: "heron" })).text).toContain(
      "Nothing was found.",
    );
    await client.close();
  });

  test("what a sealed session says stays in it, and proves nothing", async () => {
    const here = machine();
    here.env["REPRISE_KEY"] = "correct horse battery staple";
    const input = '{"type":"user","content":"the dotterel nests"}\n';
    here.runWith({ input }, "new", "--seal", "--id", "s", "--title", "dotterel", "--stdin");
    here.run("index", "--sealed");
    const client = await openClient(here, { args: ["--write"] });
    for (const [tool, given] of [
      ["get_session", { session: "s" }],
      ["handoff", { session: "s" }],
      ["remember", { key: "k", text: "t", events: ["s@2"] }],
      ["search_sessions", { query: "nests" }],
      ["recall", { question: "Who nests where?" }],
      ["list_sessions", {}],
    ] as const) {
      const { text } = await client.call(tool, given);
      expect(text, tool).not.toContain("dotterel");
      expect(text, tool).toMatch(/sealed|Nothing|no such/);
    }
    expect(here.json("memory", "list")["total"]).toBe(0);
    await client.close();
  });

  test("a hand-over and the prompt to take one over hold the goal and the last answer", async () => {
    const client = await openClient(furnished());
    const { text } = await client.call("handoff", { session: id });
    expect(text).toContain("Where does the heron cache listen?");
    expect(text).toContain("The queue has no port.");
    const { result } = await client.request("prompts/get", {
      name: "take-over",
      arguments: { session: id },
    });
    expect(JSON.stringify(result)).toContain("The queue has no port.");
    await client.close();
  });

  test("sessions and memories are resources", async () => {
    const here = furnished();
    here.run("memory", "store", "test command", "npm test");
    const client = await openClient(here);
    const uris = (await client.list("resources")).map(({ uri }) => uri);
    expect(uris).toContain(`reprise://session/claude-code/${id}`);
    const memory = uris.find((uri) => uri.startsWith("reprise://memory/"));
    const read = await client.request("resources/read", { uri: memory });
    expect(JSON.stringify(read.result)).toContain("npm test");
    const session = await client.request("resources/read", { uri: uris[0] });
    expect(JSON.stringify(session.result)).toContain("7431");
    await client.close();
  });
});

describe("files", () => {
  test("without the right to write nothing of the project or the store changes, and the answer says what to start", async () => {
    const here = furnished();
    writeFileSync(join(here.cwd, "a.txt"), "one\n");
    const client = await openClient(here);
    for (const [tool, given] of [
      ["checkpoint", { label: "x" }],
      ["forget", { memory: "x" }],
    ] as const) {
      const { text, isError } = await client.call(tool, given);
      expect(isError).toBe(true);
      expect(text).toContain("reprise mcp install");
    }
    expect(readdirSync(here.cwd)).toEqual(["a.txt"]);
    expect(here.json("memory", "list")["total"]).toBe(0);
    await client.close();
  });

  test("a plan to go back lists what would change and changes nothing", async () => {
    const here = machine();
    writeFileSync(join(here.cwd, "a.txt"), "one\n");
    const client = await openClient(here, { args: ["--write"] });
    expect((await client.call("checkpoint", { label: "before" })).text).toContain("has 1 file");
    writeFileSync(join(here.cwd, "a.txt"), "two\n");
    writeFileSync(join(here.cwd, "b.txt"), "new\n");
    const { text } = await client.call("rewind_plan", { checkpoint: "before" });
    expect(text).toContain("restore a.txt");
    expect(text).toContain("delete b.txt");
    expect(readFileSync(join(here.cwd, "a.txt"), "utf8")).toBe("two\n");
    expect((await client.call("rewind_plan")).text).toContain("before");
    await client.close();
  });

  test("blame names the session that wrote a line, and its prompt", async () => {
    const here = machine();
    execFileSync("git", ["init", "--quiet"], { cwd: here.cwd });
    const path = join(here.cwd, "heron.ts");
    writeFileSync(path, "export const port = 7431;\n");
    const use = {
      type: "tool_use",
      id: "t1",
      name: "Write",
      input: { file_path: path, content: "export const port = 7431;\n" },
    };
    const result = { type: "tool_result", tool_use_id: "t1", content: "File created" };
    putClaudeSession(here, { id }, [
      { user: "Write the port down" },
      { record: { type: "assistant", message: { role: "assistant", content: [use] } } },
      { record: { type: "user", message: { role: "user", content: [result] } } },
    ]);
    const client = await openClient(here);
    const { text } = await client.call("blame", { file: "heron.ts" });
    expect(text).toContain(`claude-code:${id}@2`);
    expect(text).toContain("Write the port down");
    await client.close();
  });
});
