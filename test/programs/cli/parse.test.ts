import { Option } from "commander";
import { expect, test } from "vitest";
import { exportCommand } from "../../../src/programs/cli/commands/export.ts";
import { list } from "../../../src/programs/cli/commands/list.ts";
import { show } from "../../../src/programs/cli/commands/show.ts";
import { commonFlags } from "../../../src/programs/cli/run/command.ts";
import { commandNamed, commands } from "../../../src/programs/cli/run/commands.ts";
import { helpFor, helpText, parseInvocation } from "../../../src/programs/cli/run/parse.ts";
import { withoutPaths } from "../../../src/programs/cli/run/paths-behind.ts";
import { plainWords } from "../../../src/programs/cli/run/plain-words.ts";
import { commandLine } from "../../../src/programs/cli/run/run.ts";

const options = { nowMs: Date.parse("2026-11-15T12:00:00.000Z") };

test("values of flags come as what they mean", () => {
  const parsed = parseInvocation(list, ["--since", "1d", "--limit", "5", "--here"], options);
  if ("help" in parsed) throw new Error("help was not asked for");
  expect(parsed.flags.number("since")).toBe(options.nowMs - 24 * 3600_000);
  expect(parsed.flags.number("limit")).toBe(5);
  expect(parsed.flags.isSet("here")).toBe(true);
  expect(parsed.flags.isSet("all")).toBe(false);
  expect(parsed.flags.text("agent")).toBeUndefined();
});

test("an age longer than any clock counts is since ever", () => {
  const parsed = parseInvocation(list, ["--since", "999999y"], options);
  if ("help" in parsed) throw new Error("help was not asked for");
  expect(parsed.flags.number("since")).toBe(0);
});

test("a short flag with its number attached is a flag among words with dashes, too", async () => {
  const search = await commandNamed("search")!.load();
  const parsed = parseInvocation(search, ["the", "commit", "-n1", "-not"], options);
  if ("help" in parsed) throw new Error("help was not asked for");
  expect(parsed.flags.number("limit")).toBe(1);
  expect(parsed.args).toEqual(["the", "commit", "-not"]);
});

test("a word that a command does not take leads to where it belongs", () => {
  expect(() => parseInvocation(list, ["my-app"], options)).toThrow(
    expect.objectContaining({ hint: expect.stringContaining("`reprise list --project my-app`") }),
  );
});

test.each([
  [list, ["--nonsense"], /unknown option/i],
  [list, ["--limt", "3"], /Did you mean --limit/],
  [list, ["--limit"], /argument missing/],
  [list, ["--limit", "many"], /whole number/],
  [list, ["--limit", "-3"], /whole number|argument missing/],
  [list, ["--since", "soon"], /Not a time/],
  [list, ["--until", "soon"], /Not a time/],
  [list, ["--state", "asleep"], /Allowed choices/],
  [list, ["extra"], /too many arguments/i],
  [show, [], /missing required argument/i],
  [show, ["@last", "--tools", "some"], /Allowed choices/],
  [show, ["@last", "--last", "x"], /whole number/],
  [show, ["@last", "--from", "the first"], /event's number/],
  [show, ["@last", "--to", "1.2."], /event's number/],
  [exportCommand, ["@last", "--format", "pdf"], /Allowed choices/],
  [exportCommand, ["@last", "-o"], /argument missing/],
] as const)("wrong arguments are a usage error: %#", (command, argv, message) => {
  expect(() => parseInvocation(command, argv, options)).toThrowError(message);
  try {
    parseInvocation(command, argv, options);
  } catch (error) {
    expect(error).toMatchObject({ code: "usage" });
  }
});

test.each([
  ["list", "-n", undefined],
  ["list", "-l", "Did you mean --limit or --long or --lines? See `reprise list --help`."],
  ["list", "--interrupted", "Did you mean --state interrupted? See `reprise list --help`."],
  ["export", "--html", "Did you mean --format html? See `reprise export --help`."],
  ["export", "--dry-run", "See `reprise export --help`."],
  ["export", "--force", "Did you mean --yes? See `reprise export --help`."],
  [
    "delete",
    "--dry-run",
    "Leave out --yes to see what would be done. See `reprise delete --help`.",
  ],
  ["continue", "--dry-run", "Did you mean --print? See `reprise continue --help`."],
  ["fork", "--preview", "Did you mean --dry-run? See `reprise fork --help`."],
  ["delete", "-y", "Did you mean --yes? See `reprise delete --help`."],
  ...["--older-than", "--before", "--age"].map((option): [string, string, string] => [
    "delete",
    option,
    "Did you mean --until? `reprise delete --until 6mo` shows what was not changed for six months. See `reprise delete --help`.",
  ]),
  [
    "delete",
    "--all",
    "Which ones? `reprise delete --until 6mo` shows what was not changed for six months; --agent, --project and others choose too. See `reprise delete --help`.",
  ],
  ["show", "--tail", "Did you mean --last? See `reprise show --help`."],
  [
    "resume",
    "--no-start",
    "`reprise fork <ref> --in <agent>` writes the copy and starts nothing. See `reprise resume --help`.",
  ],
  ["search", "--failed", "Did you mean is:error, among the words? See `reprise search --help`."],
  ["stats", "--week", "Did you mean --by week? See `reprise stats --help`."],
])("an option of another program leads to ours: %s %s", async (name, option, hint) => {
  const command = await commandNamed(name)?.load();
  const read = (): unknown => parseInvocation(command!, ["x", option, "5"], options);
  if (hint === undefined) expect(read).toThrowError(/too many arguments/i);
  else expect(read).toThrowError(expect.objectContaining({ code: "usage", hint }));
});

test("a short flag of a search is a flag, and any other word with a dash is left out", async () => {
  const search = await commandNamed("search")?.load();
  const parsed = parseInvocation(search!, ["cache", "-test", "-n", "3"], options);
  if ("help" in parsed) throw new Error("help was not asked for");
  expect(parsed.args).toEqual(["cache", "-test"]);
  expect(parsed.flags.number("limit")).toBe(3);
});

test("every command has help with an example and the shape of its JSON", async () => {
  for (const entry of commands) {
    const command = await entry.load();
    expect(command.name).toBe(entry.name);
    expect(command.summary).toBe(entry.summary);
    expect(command.examples.length).toBeGreaterThan(0);
    const help = helpText(command);
    expect(help).toMatch(/Examples:\n {2}.*reprise\b/);
    expect(help).toContain("With --json:");
    expect(parseInvocation(command, ["--help"], options)).toEqual({ help: helpFor(command, []) });
  }
});

/** The words of a line as a shell would split them; what comes or goes elsewhere is not ours. */
function wordsOf(line: string): readonly string[] {
  const ours = line.split(/ [|<>] /).find((part) => part.startsWith("reprise")) ?? "";
  return [...ours.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, bare]) => single ?? double ?? bare ?? "",
  );
}

test("every example is a line its command understands", async () => {
  for (const entry of commands) {
    const command = await entry.load();
    for (const { line } of command.examples) {
      const { word, rest } = commandLine(wordsOf(line).slice(1), { isScreen: true });
      const named = await commandNamed(word)?.load();
      expect(named, line).toBeDefined();
      const typed = withoutPaths(named!, rest).rest;
      expect(parseInvocation(named!, typed, { nowMs: 0 }), line).toHaveProperty("args");
    }
  }
});

test("a word with one dash is what a search leaves out; one with two is a flag, known or refused", async () => {
  const search = await commandNamed("search")!.load();
  const parsed = parseInvocation(search, ["limit", "-test", "-h2", "--agent", "codex"], options);
  expect(parsed).toMatchObject({ args: ["limit", "-test", "-h2"] });
  expect(() => parseInvocation(search, ["limit", "--frob"], options)).toThrow(/--frob/);
  expect(parseInvocation(search, ["-h"], options)).toHaveProperty("help");
  expect(() => parseInvocation(search, ["--limit", "-5"], options)).toThrow(/, not -5\.$/);
});

test("words alone are taken as the parser would take them, for every command", async () => {
  let taken = 0;
  for (const entry of commands) {
    const command = await entry.load();
    for (const words of [
      [],
      ["a"],
      [""],
      ["a", "b c"],
      ["a", "b", "c", "help"],
      ["-x"],
      ["a", "--"],
    ]) {
      const plain = plainWords(command, words);
      if (plain === undefined) continue;
      taken += 1;
      const parsed = parseInvocation(command, words, options);
      if ("help" in parsed) throw new Error("help was not asked for");
      const what = `${entry.name} ${JSON.stringify(words)}`;
      expect(plain.args, what).toEqual(parsed.args);
      for (const { flags } of [...command.flags, ...commonFlags]) {
        const name = new Option(flags).attributeName();
        const values = [plain.flags, parsed.flags].map((given) => [
          given.isSet(name),
          given.text(name),
          given.texts(name),
          given.number(name),
        ]);
        expect(values[0], `${what} ${flags}`).toEqual(values[1]);
      }
    }
    expect(plainWords(command, ["-x"])).toBeUndefined();
  }
  expect(taken).toBeGreaterThan(commands.length);
});

test("an action's help has the options of that action alone", async () => {
  const memory = await commandNamed("memory")!.load();
  const publish = helpFor(memory, ["publish"]);
  expect(publish).toMatch(/^Usage: reprise memory publish \[options\]\n/);
  expect(publish).toContain("--remove");
  expect(publish).toContain("--json");
  expect(publish).toContain("reprise memory publish --to claude-code");
  expect(publish).not.toContain("--ttl-days");
  expect(parseInvocation(memory, ["publish", "--help"], options)).toEqual({ help: publish });
  expect(helpFor(memory, ["no such action"])).toBe(helpFor(memory, []));
});

test("a command with actions begins with them; options, examples and JSON of one are in its own help", async () => {
  const memory = await commandNamed("memory")!.load();
  const first = helpFor(memory, []);
  for (const { name, says } of memory.actions!)
    expect(first).toContain(`${name.padEnd(9)}  ${says}`);
  expect(first).toContain("--project <words>");
  expect(first).not.toContain("--ttl-days");
  expect(first).not.toContain("With --json:");
  expect(first.split("\n").length).toBeLessThan(70);
  const backups = helpFor(memory, ["backups"]);
  expect(backups).toContain("With --json:\n  backups: { backups: object[] }\n\n");
  const inbox = helpFor(memory, ["inbox"]);
  expect(inbox).toContain(
    "list, inbox: { entries: Entry[], total: number }\n  Entry = { id: string,",
  );
  expect(helpText(memory)).toContain("--ttl-days");
});

test("what every action prints with --json is in its help", async () => {
  for (const entry of commands) {
    const command = await entry.load();
    for (const { name } of command.actions ?? [])
      expect(helpFor(command, [name]), `${entry.name} ${name}`).toMatch(/With --json:\n {2}\S/);
  }
});

test("every flag belongs to actions that there are, and every action's help fits the terminal", async () => {
  for (const entry of commands) {
    const command = await entry.load();
    const names = command.actions?.map(({ name }) => name) ?? [];
    for (const { flags, of = [] } of command.flags) {
      expect(names, `${entry.name} ${flags}`).toEqual(expect.arrayContaining([...of]));
    }
    for (const name of names) {
      const help = helpFor(command, [name]);
      expect(help).toMatch(new RegExp(`^Usage: reprise ${entry.name} ${name}\\b`));
      for (const line of help.split("\n")) expect(line.length, line).toBeLessThanOrEqual(100);
    }
  }
});

test("the help explains each state that a list filters by, in a line of its own", () => {
  const lines = helpText(list).split("\n");
  for (const state of ["ended", "interrupted", "waiting", "unknown"]) {
    expect(lines.filter((line) => line.startsWith(`  ${state} `))).toHaveLength(1);
  }
  expect(lines.every((line) => line.length <= 80 || line.includes("group:"))).toBe(true);
});
