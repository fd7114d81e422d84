import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { brokenRules } from "../loop/model-server.mjs";
import { chatMachine } from "./chat-machine.ts";
import { openTerminal } from "./terminal.ts";

const size = { columns: 90, rows: 40 };
const keys = {
  ctrlC: "\u0003",
  ctrlD: "\u0004",
  ctrlJ: "\n",
  up: "\u001b[A",
  altEnter: "\u001b\r",
};

test("an answer is shown in style while it comes in; Markdown is not shown as it is written", async () => {
  const text = "# Plan\n\n- **bold** item\n- `code` item\n\n```js\nlet a = 1;\n```\nDone.";
  const machine = await chatMachine([{ text, paceMs: 1 }]);
  const screen = openTerminal(["chat"], { ...size, machine });
  await screen.shows("❯");
  screen.type("Go\r");
  await screen.shows("Done.");
  await screen.shows("└──");
  const shown = screen.text();
  expect(shown).toContain("Plan\n\n• bold item\n• code item\n\n┌── js\n│ let a = 1;\n└──\nDone.");
  expect(shown).not.toContain("**");
  screen.type(keys.ctrlD);
  expect(await screen.end()).toBe(0);
});

test("a prompt has as many lines as one likes, pasted or typed; earlier prompts come back", async () => {
  const machine = await chatMachine((_, count) => ({ text: `Answer ${count}.` }));
  const screen = openTerminal(["chat"], { ...size, machine });
  await screen.shows("❯");
  screen.type(`one${keys.ctrlJ}two${keys.altEnter}three\\\rfour\r`);
  await screen.shows("Answer 1.");
  screen.type("\u001b[200~pasted\rlines\u001b[201~");
  await screen.shows("· lines");
  screen.type("\r");
  await screen.shows("Answer 2.");
  screen.type(keys.up);
  await screen.shows("· lines");
  screen.type(`${keys.up}${keys.up}`);
  await screen.shows("· four");
  screen.type("!\r");
  await screen.shows("Answer 3.");
  screen.type("/quit\r");
  expect(await screen.end()).toBe(0);
  const prompts = machine.server.requests.map(({ atoms }) => atoms.at(-1)!.text);
  expect(prompts).toEqual(["one\ntwo\nthree\nfour", "pasted\nlines", "one\ntwo\nthree\nfour!"]);
});

test("Ctrl-C stops the answer, not the session; at the prompt it clears, and twice it leaves", async () => {
  const machine = await chatMachine([
    { text: "word ".repeat(2_000), paceMs: 20 },
    { text: "Still here." },
  ]);
  const screen = openTerminal(["chat"], { ...size, machine });
  await screen.shows("❯");
  screen.type("Talk\r");
  await screen.shows("word word");
  screen.type(keys.ctrlC);
  await screen.shows("Stopped.");
  screen.type("rubbish");
  await screen.shows("❯ rubbish");
  screen.type(keys.ctrlC);
  screen.type("Again\r");
  await screen.shows("Still here.\n❯");
  screen.type(keys.ctrlC);
  await screen.shows("Ctrl-C again");
  screen.type(keys.ctrlC);
  expect(await screen.end()).toBe(0);
  expect(machine.server.requests.flatMap(brokenRules)).toEqual([]);
  const atoms = machine.server.requests[1]!.atoms;
  expect(atoms.map(({ kind }) => kind)).toEqual(["user", "assistant", "user"]);
  expect(atoms[1]!.text).toContain("word word");
});

test("each tool asks first: an edit with its diff, a command whole; what is refused does not happen", async () => {
  const machine = await chatMachine([
    { calls: [{ name: "edit", input: { path: "notes.txt", old_string: "two", new_string: "2" } }] },
    { calls: [{ name: "write", input: { path: "new/file.txt", content: "hello\nworld\n" } }] },
    {
      calls: [
        { name: "bash", input: { command: "echo $ANTHROPIC_API_KEY; touch ran; cat notes.txt" } },
      ],
    },
    { calls: [{ name: "read", input: { path: "notes.txt" } }] },
    { text: "All done." },
    { calls: [{ name: "read", input: { path: "new/file.txt" } }] },
    { text: "Read again." },
  ]);
  const file = join(machine.cwd, "notes.txt");
  writeFileSync(file, "one\ntwo\nthree\n");
  const screen = openTerminal(["chat"], { ...size, machine });
  await screen.shows("❯");
  screen.type("Work\r");
  await screen.shows("Allow it?");
  expect(screen.text()).toContain("- two");
  expect(screen.text()).toContain("+ 2");
  expect(readFileSync(file, "utf8")).toContain("two");
  screen.type("y");
  await screen.shows("+ world");
  screen.type("n");
  await screen.shows("⏺ bash echo $ANTHROPIC_API_KEY; touch ran; cat notes.txt");
  screen.type("y");
  await screen.shows("⏺ read notes.txt");
  screen.type("a");
  await screen.shows("All done.");
  screen.type("Again\r");
  // Granted for this chat: not asked again.
  await screen.shows("Read again.");
  screen.type(keys.ctrlD);
  expect(await screen.end()).toBe(0);
  expect(readFileSync(file, "utf8")).toBe("one\n2\nthree\n");
  expect(existsSync(join(machine.cwd, "new"))).toBe(false);
  expect(existsSync(join(machine.cwd, "ran"))).toBe(true);
  const results = machine.server.requests.at(-1)!.atoms.filter(({ kind }) => kind === "result");
  expect(results.map(({ text }) => text)).toEqual([
    "Replaced it once in notes.txt.",
    "The user did not allow it.",
    "\none\n2\nthree",
    "one\n2\nthree\n",
    "There is no file new/file.txt.",
  ]);
  expect(machine.server.requests.flatMap(brokenRules)).toEqual([]);
  // The newest session of this project is a chat: continuing it is talking on.
  const again = openTerminal(["continue"], { ...size, machine });
  await again.shows("❯");
  again.type("Anything open?\r");
  await again.shows("Read again.");
  again.type(keys.ctrlD);
  await again.end();
});

test("a command that never ends is stopped with all it started; one that prints 100 MB is cut", async () => {
  const machine = await chatMachine([
    {
      calls: [
        {
          name: "bash",
          input: { command: "sleep 1000 & echo started; trap '' TERM; wait; sleep 1000" },
        },
      ],
    },
    {
      calls: [
        { name: "bash", input: { command: "head -c 100000000 /dev/zero | tr '\\0' x; echo end" } },
      ],
    },
    { text: "Enough." },
  ]);
  const screen = openTerminal(["chat"], { ...size, machine });
  await screen.shows("❯");
  screen.type("Work\r");
  await screen.shows("Allow it?");
  screen.type("y");
  await screen.shows("→ y");
  screen.type(keys.ctrlC);
  await screen.shows("Stopped.");
  screen.type("Go on\r");
  await screen.shows("head -c");
  screen.type("y");
  await screen.shows("Enough.");
  screen.type(keys.ctrlD);
  expect(await screen.end()).toBe(0);
  expect(machine.server.requests.flatMap(brokenRules)).toEqual([]);
  const result = machine.server.requests.at(-1)!.atoms.at(-1)!.text!;
  expect(result.length).toBeLessThan(70_000);
  expect(result).toContain("characters left out");
  expect(result).toMatch(/end$/);
});

test("a command that kills the chat costs nothing that was said; the next process says so and goes on", async () => {
  const machine = await chatMachine([
    { text: "I will run it.", calls: [{ name: "bash", input: { command: "kill -9 $PPID" } }] },
    { text: "I see." },
  ]);
  const screen = openTerminal(["chat"], { ...size, machine });
  await screen.shows("❯");
  screen.type("Work\r");
  await screen.shows("Allow it?");
  screen.type("y");
  expect(await screen.end()).toBe(137);
  const again = openTerminal(["chat", "continue"], { ...size, machine });
  await again.shows("The last process ended before 1 call (bash) had a result.");
  again.type("What happened?\r");
  await again.shows("I see.");
  again.type(keys.ctrlD);
  await again.end();
  const { atoms } = machine.server.requests.at(-1)!;
  expect(brokenRules(machine.server.requests.at(-1)!)).toEqual([]);
  expect(atoms.map(({ kind }) => kind)).toEqual(["user", "assistant", "call", "result", "user"]);
  expect(atoms[3]!.text).toContain("Interrupted");
});

test("what a tool or a model prints cannot act on the terminal", async () => {
  const evil = "\u001b]0;owned\u0007\u001b[2J\u001b[31mred\u001b[0m\u001b[1;1Hhome";
  const machine = await chatMachine([
    {
      text: `Say ${evil}\n`,
      calls: [{ name: "bash", input: { command: `printf '\\033[2J\\033[1;1Hx' # ${evil}` } }],
    },
    { text: "Over." },
  ]);
  const screen = openTerminal(["chat"], { ...size, machine });
  await screen.shows("❯");
  screen.type("Work\r");
  await screen.shows("Allow it?");
  screen.type("y");
  await screen.shows("Over.");
  // The screen was never cleared: the first prompt is still there.
  expect(screen.text()).toContain("❯ Work");
  expect(screen.text()).toContain("␛]0;owned");
  screen.type(keys.ctrlD);
  await screen.end();
});
