import { beforeAll, expect, test } from "vitest";
import { putClaudeSession } from "./agents-home.ts";
import { type Machine, machine } from "./program.ts";
import { openTerminal } from "./terminal.ts";

let here: Machine;

beforeAll(() => {
  here = machine();
  const cwd = `${here.home}/projects/a-company-with-a-long-name/the-parser`;
  const usage = { input_tokens: 1234567, output_tokens: 345678, cache_read_input_tokens: 98765432 };
  const message = (model: string): object => ({
    id: `m-${model}`,
    role: "assistant",
    model,
    content: [{ type: "text", text: "The needle is in the haystack, as always." }],
    usage,
  });
  putClaudeSession(here, { id: "5a3e1c0f-7b64-4d0e-9c55-000000000001", cwd }, [
    { user: "Find the needle in a haystack that is much wider than any narrow terminal" },
    { record: { type: "assistant", message: message("claude-opus-4-6") } },
    { user: "And another one" },
    { record: { type: "assistant", message: message("nobody-knows-this-model") } },
  ]);
});

/** What a command prints on a narrow terminal, once its last words are there. */
async function shown(last: string, ...args: readonly string[]): Promise<readonly string[]> {
  const open = openTerminal(args, { columns: 40, rows: 60, machine: here });
  expect(await open.end()).toBe(0);
  await open.shows(last);
  return open.lines();
}

test("stats by project shows the end of a path, and its remarks break between words", async () => {
  const lines = (await shown("tokens only.", "stats", "--by", "project")).join("\n");
  expect(lines).toMatch(/…\S*the-parser {2}/);
  expect(lines).toContain("2026");
  expect(lines).toMatch(/No price is known for\nnobody-knows-this-model: tokens only\./);
});

test("stats of one session breaks between words", async () => {
  const lines = await shown("estimated", "stats", "--session", "5a3e1c0f");
  const text = lines.join("\n");
  for (const word of ["345,678", "cache", "estimated", "98,765,432"]) expect(text).toContain(word);
  expect(text).toContain("~/projects/");
});

test("a search gives the title a line of its own", async () => {
  const [title, about] = await shown("Open one with", "search", "needle");
  expect(title).toMatch(/^Find the needle in a haystack that is m.*…$/);
  expect(about).toMatch(/^ {2}claude-code · the-parser · /);
});

test("a list shows the end of the project's path, and prompts if asked for", async () => {
  const [project, row] = await shown("Find the need", "list", "--prompts");
  expect(project).toMatch(/^the-parser {2}…\S*the-parser$/);
  expect(row).toMatch(/^ {2}5a3e1c0f {2}2 prompts {2}Find the need.*…$/);
});
