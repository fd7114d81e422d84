import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { machine } from "../../e2e/program.ts";
import { openClient } from "./client.ts";

interface Entry {
  readonly key: string;
  readonly owner: string;
  readonly status: string;
  readonly provenance: string;
}

test("without the right to write what agents remember waits in the inbox, and recall does not return it", async () => {
  const here = machine();
  const client = await openClient(here, { name: "claude-code" });
  for (const tool of ["remember", "propose_memory"])
    expect(
      (await client.call(tool, { key: `${tool} key`, text: "Deploy with make ship" })).text,
    ).toContain("inbox");
  const inbox = here.json("memory", "inbox")["entries"] as readonly Entry[];
  expect(inbox.map(({ status, owner, provenance }) => ({ status, owner, provenance }))).toEqual(
    Array(2).fill({ status: "proposed", owner: "claude-code", provenance: "assistant" }),
  );
  expect((await client.call("recall", { question: "How do we deploy?" })).text).not.toContain(
    "make ship",
  );
  await client.close();
});

test("with the right to write it is kept, found by recall, and forgotten by its owner", async () => {
  const here = machine();
  const client = await openClient(here, { name: "Claude Code!", args: ["--write"] });
  await client.call("remember", { key: "deploy", text: "Deploy with make ship" });
  const [entry] = here.json("memory", "list")["entries"] as readonly Entry[];
  expect(entry).toMatchObject({ status: "kept", owner: "claude-code", provenance: "assistant" });
  const { text } = await client.call("recall", { question: "How do we deploy?" });
  expect(text).toContain("make ship");
  expect(text).toMatch(/memory [0-9a-f-]{36}/);
  const stranger = await openClient(here, { name: "codex-mcp-client", args: ["--write"] });
  expect((await stranger.call("forget", { memory: "deploy" })).isError).toBe(true);
  expect((await client.call("forget", { memory: "deploy" })).text).toContain("Forgotten for good");
  expect(here.json("memory", "list")["total"]).toBe(0);
  await client.close();
  await stranger.close();
});

test("what is published in a page is not forgotten by a tool, which changes no file, and recall names the pages of agents", async () => {
  const here = machine();
  writeFileSync(join(here.cwd, "AGENTS.md"), "- The port of the server is 8080.\n");
  const client = await openClient(here, { args: ["--write"] });
  await client.call("propose_memory", { key: "deploy", text: "Deploy with make ship" });
  const [entry] = here.json("memory", "inbox")["entries"] as readonly (Entry & { id: string })[];
  here.run("memory", "approve", entry!.id);
  expect(here.run("memory", "publish", "--to", "claude-code", "--yes").status).toBe(0);
  const page = readFileSync(join(here.cwd, "CLAUDE.md"), "utf8");
  expect(page).toContain("- deploy: Deploy with make ship");
  const { text, isError } = await client.call("forget", { memory: "deploy" });
  expect(isError).toBe(true);
  expect(text).toContain(`reprise memory forget ${entry!.id}`);
  expect(readFileSync(join(here.cwd, "CLAUDE.md"), "utf8")).toBe(page);
  const answer = (await client.call("recall", { question: "which port has the server" })).text;
  expect(answer).toContain(`kept by an agent in ${join(here.cwd, "AGENTS.md")}:1 · imported`);
  await client.close();
});

test("a proposal waits in the inbox also where writing is allowed; what was rejected is not proposed again", async () => {
  const here = machine();
  const client = await openClient(here, { args: ["--write"] });
  const given = { key: "style", text: "Tabs everywhere" };
  await client.call("propose_memory", given);
  const [entry] = here.json("memory", "inbox")["entries"] as readonly (Entry & { id: string })[];
  expect(entry?.status).toBe("proposed");
  here.run("memory", "reject", entry!.id);
  const { text, isError } = await client.call("propose_memory", given);
  expect(isError).toBe(true);
  expect(text).toContain("rejected");
  expect(here.json("memory", "inbox")["total"]).toBe(0);
  await client.close();
});

test("no client is the user, whatever it calls itself, and none sees another's private memories", async () => {
  const here = machine();
  here.run("memory", "store", "own secret", "lapwing", "--access", "private");
  const first = await openClient(here, { name: "first", args: ["--write"] });
  await first.call("remember", { key: "mine", text: "plover", access: "private" });
  for (const [name, modern] of [
    ["user", false],
    ["USER", true],
    ["second", false],
    ["", false],
  ] as const) {
    const client = await openClient(here, { name, modern, args: ["--write"] });
    for (const question of ["lapwing own secret", "plover mine"])
      expect((await client.call("recall", { question })).text).not.toMatch(
        /as="[a-z-]+">(?:lapwing|plover)/,
      );
    const { result } = await client.request("resources/list");
    expect(JSON.stringify(result)).not.toContain("reprise://memory/");
    expect((await client.call("forget", { memory: "own secret" })).isError).toBe(true);
    await client.close();
  }
  expect((await first.call("recall", { question: "plover mine" })).text).toContain("plover");
  await first.close();
});

test("a memory of another project is not returned, and a secret is not stored", async () => {
  const here = machine();
  const client = await openClient(here, { args: ["--write"] });
  const key = `sk-ant-api03-${"aB3".repeat(31)}-AAAAAA`;
  await client.call("remember", { key: "key", text: `the bittern key is ${key}` });
  expect(JSON.stringify(here.json("memory", "list"))).not.toContain("aB3aB3");
  const elsewhere = await openClient(here, { cwd: here.home });
  expect((await elsewhere.call("recall", { question: "bittern key" })).text).not.toContain(
    "the bittern",
  );
  await client.close();
  await elsewhere.close();
});

test("what holds everywhere is recalled in every project", async () => {
  const here = machine();
  const client = await openClient(here, { args: ["--write"] });
  await client.call("remember", {
    key: "indent",
    text: "Dunlins indent with tabs",
    everywhere: true,
  });
  const elsewhere = await openClient(here, { cwd: here.home });
  expect((await elsewhere.call("recall", { question: "How do dunlins indent?" })).text).toContain(
    "with tabs",
  );
  await client.close();
  await elsewhere.close();
});
