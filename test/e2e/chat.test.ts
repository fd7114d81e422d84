import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { brokenRules } from "../loop/model-server.mjs";
import { chatMachine } from "./chat-machine.ts";
import { machine } from "./program.ts";

test.each(["anthropic", "openai", "gemini"] as const)(
  "what was said arrives at the model after the program was left and `chat continue` came (%s)",
  async (protocol) => {
    const { server, chat } = await chatMachine(
      [{ text: "Hello Alice." }, { text: "Alice." }],
      protocol,
    );
    const first = await chat("My name is Alice\n/quit\n");
    expect(first).toMatchObject({ status: 0, stdout: "Hello Alice.\n" });
    const second = await chat("What's my name?\n", "continue");
    expect(second).toMatchObject({ status: 0, stdout: "Alice.\n" });
    const [, request] = server.requests;
    expect(request!.protocol).toBe(protocol);
    expect(brokenRules(request!)).toEqual([]);
    expect(request!.atoms.map(({ kind, text }) => [kind, text])).toEqual([
      ["user", "My name is Alice"],
      ["assistant", "Hello Alice."],
      ["user", "What's my name?"],
    ]);
  },
);

test("offline it answers from the session alone", () => {
  const { runWith } = machine();
  runWith({ input: "My name is Alice\n" }, "chat", "--model", "offline");
  const { status, stdout } = runWith(
    { input: "What's my name?\n" },
    "chat",
    "continue",
    "--model",
    "offline",
  );
  expect(status).toBe(0);
  expect(stdout).toContain("Alice");
  const none = runWith({ input: "Who is Bob?\n" }, "chat", "continue", "--model", "offline");
  expect(none.stdout).toContain("Nothing of that was said");
});

test("without a model it explains three ways to give one, and writes nothing", () => {
  const { runWith, home } = machine();
  const { status, stderr } = runWith({ input: "Hi\n" }, "chat");
  expect(status).toBe(1);
  for (const way of ["ANTHROPIC_API_KEY", "ollama/", "--model offline"])
    expect(stderr).toContain(way);
  expect(stderr.split("\n").length).toBeGreaterThan(8);
  expect(existsSync(join(home, ".reprise"))).toBe(false);
  expect(runWith({}, "chat", "--model", "nobody-knows").stderr).toContain("provider before it");
  expect(runWith({}, "chat", "--model", "claude-x").stderr).toContain(
    "ANTHROPIC_API_KEY is not set",
  );
  expect(runWith({}, "chat", "begin", "--model", "offline").status).toBe(2);
});

test("who looks and leaves has no session", () => {
  const { runWith, run } = machine();
  expect(runWith({ input: "/help\n/usage\n/quit\n" }, "chat", "--model", "offline").status).toBe(0);
  expect(run("list").stdout).not.toContain("reprise");
});

test("the key goes to the model alone: nothing in the home folder holds it", async () => {
  const { server, chat, home } = await chatMachine([{ text: "Hi." }]);
  await chat("Hello\n", "--session-dir", "kept");
  expect(server.requests[0]!.headers["x-api-key"]).toBe("key-of-the-test");
  const { readdirSync, statSync } = await import("node:fs");
  const files = readdirSync(home, { recursive: true, encoding: "utf8" }).map((name) =>
    join(home, name),
  );
  const texts = files
    .filter((file) => statSync(file).isFile())
    .map((file) => readFileSync(file, "utf8"));
  expect(texts.join("\n")).toContain("Hello");
  expect(texts.join("\n")).not.toContain("key-of-the-test");
});

test("without a terminal nothing that asks runs, and the model hears so", async () => {
  const { server, chat, cwd } = await chatMachine([
    { calls: [{ name: "bash", input: { command: "touch made" } }] },
    { text: "I may not." },
  ]);
  const { stdout } = await chat("Make a file\n");
  expect(stdout).toBe("I may not.\n");
  expect(existsSync(join(cwd, "made"))).toBe(false);
  expect(server.requests[1]!.atoms.at(-1)!.text).toContain("Nobody could be asked");
});

test("--json gives one line for each prompt, and says what failed", async () => {
  const { chat } = await chatMachine([
    { text: "One." },
    { raw: "data: nonsense\n\n" },
    { text: "Three." },
  ]);
  const { status, stdout } = await chat("a\nb\nc\n", "--json");
  const lines = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines).toMatchObject([
    { text: "One.", reason: "done", usage: { input: 100, output: 20 } },
    { error: { code: "model_failed" } },
    { text: "Three.", reason: "done" },
  ]);
  expect(status).toBe(1);
});

test("escape sequences in an answer do nothing", async () => {
  const evil = "\u001b]0;owned\u0007\u001b[2J\u001b]52;c;aGk=\u0007\u009b31mred \u202e reversed";
  const { chat } = await chatMachine([{ text: evil, pieceChars: 3 }]);
  const { stdout, stderr } = await chat("Hi\n/export out.md\n");
  expect(stdout + stderr).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
  expect(stdout).toContain("owned");
});

describe("slash commands", () => {
  test("title, fork, rewind, compact, clear and ask do what they say; tree shows how sessions came from each other", async () => {
    const { server, chat, run, json } = await chatMachine((_, count) => ({
      text: `Answer ${count}.`,
    }));
    const lines = [
      "First",
      "/title Greeting",
      "Second",
      "/ask Only between us?",
      "/rewind",
      "Second, better",
      "/fork Another way",
      "Third",
      "/clear",
      "Fresh",
      "/nonsense",
      "/quit",
      "never sent",
    ];
    const { status, stdout, stderr } = await chat(`${lines.join("\n")}\n`);
    expect(status).toBe(0);
    expect(stdout).toContain("Answer 3.");
    expect(stderr).toContain("There is no command /nonsense");
    const asked = server.requests.map(({ atoms }) =>
      atoms.filter(({ kind }) => kind === "user").map(({ text }) => text),
    );
    expect(asked).toEqual([
      ["First"],
      ["First", "Second"],
      ["First", "Second", "Only between us?"],
      ["First", "Second, better"],
      ["First", "Second, better", "Third"],
      ["Fresh"],
    ]);
    const list = json("list", "--all")["sessions"] as readonly { readonly title?: string }[];
    expect(list.map(({ title }) => title).toSorted()).toEqual(["Another way", "Fresh", "Greeting"]);
    const tree = run("tree", "Greeting").stdout;
    expect(tree).toContain("Another way");
    expect(tree).toContain("continued in");
    expect(run("search", "between us").stdout).not.toContain("Only between us");
  });

  test("export and share write files; what is there is not overwritten, and the chat goes on", async () => {
    const { chat, cwd } = await chatMachine([{ text: "Said." }]);
    writeFileSync(join(cwd, "there.md"), "mine");
    const { stdout, stderr } = await chat(
      "Hi\n/export out.md\n/export out.json\n/export there.md\n/share page.html\nStill here?\n",
    );
    expect(readFileSync(join(cwd, "out.md"), "utf8")).toContain("Said.");
    expect(JSON.parse(readFileSync(join(cwd, "out.json"), "utf8"))).toBeTypeOf("object");
    expect(readFileSync(join(cwd, "there.md"), "utf8")).toBe("mine");
    expect(readFileSync(join(cwd, "page.html"), "utf8")).toContain("Said.");
    expect(stderr).toContain("there.md");
    expect(stdout.match(/Said\./g)!.length).toBe(2);
  });
});

test("sessions in a folder of one's own are continued and resumed there", async () => {
  const { server, chat, run } = await chatMachine([{ text: "Yes." }]);
  await chat("One\n", "--session-dir", "kept");
  const { stderr } = await chat("Two\n", "continue", "--session-dir", "kept");
  const id = /Kept as (\S+)\./.exec(stderr)![1]!;
  await chat("Three\n", "--resume", id, "--session-dir", "kept");
  expect(server.requests[2]!.atoms.map(({ text }) => text)).toEqual([
    "One",
    "Yes.",
    "Two",
    "Yes.",
    "Three",
  ]);
  expect(run("list").stdout).not.toContain(id.slice(0, 13));
});
