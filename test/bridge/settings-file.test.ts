import fc from "fast-check";
import { expect, test } from "vitest";
import { install as installation } from "../../src/agents/claude-code/hooks/install.ts";
import {
  foreignNotify,
  notifiesUs,
  withNotify,
  withoutNotify,
} from "../../src/agents/codex/hooks/notify.ts";
import {
  foundHooks,
  withHooks,
  withoutHooks,
} from "../../src/bridge/install/settings-file/hook-entries.ts";
import { parseJsonc } from "../../src/bridge/install/settings-file/jsonc.ts";

const seed = 20261115;
const command = "/usr/bin/node /opt/reprise/reprise-hook.cjs claude-code";
const { recipe } = installation;
if (recipe.form !== "json-hooks") throw new Error("not in a file of settings");
const { entries } = recipe;
const install = (text: string) => withHooks(text, entries, command);

/** What a settings text says, comments aside. */
function saidBy(text: string): unknown {
  return JSON.parse(
    text
      .replace(/("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, "$1")
      .replace(/("(?:[^"\\]|\\.)*")|,(\s*[}\]])/g, "$1$2"),
  ) as unknown;
}

test("comments, order and foreign hooks stay, byte for byte", () => {
  const text = `{
  // mine
  "model": "opus", /* why */ "z": 1,
  "hooks": {
    "Stop": [
      { "hooks": [{ "type": "command", "command": "say done" }] } // keep
    ],
  },
  "a": [1, 2]
}
`;
  const installed = install(text);
  const kept = installed.split("\n").filter((line) => !line.includes("reprise-hook"));
  for (const line of text.split("\n"))
    expect(
      kept.some((other) => other.replace(/,(\s*\/\/)/, "$1").startsWith(line.replace(/,$/, ""))),
    ).toBe(true);
  expect(saidBy(installed)).toMatchObject({
    model: "opus",
    hooks: { Stop: [{ hooks: [{ command: "say done" }] }, { hooks: [{ command }] }] },
    a: [1, 2],
  });
  expect(
    foundHooks(installed)
      .map(({ event }) => event)
      .toSorted(),
  ).toEqual(entries.map(({ event }) => event).toSorted());
  expect(saidBy(withoutHooks(installed))).toEqual(saidBy(text));
});

test("installing again changes nothing; a new place replaces the old one", () => {
  const once = install('{"a":1}');
  expect(install(once)).toBe(once);
  const moved = withHooks(once, entries, command.replace("/opt", "/usr/lib"));
  expect(foundHooks(moved)).toHaveLength(entries.length);
  expect(moved).not.toContain("/opt/reprise");
});

test("taking our hooks out leaves the comments around them, whatever was changed since", () => {
  const text = '{\n  "model": "opus" // chosen by Anna\n}';
  const changed = install(text).replace("opus", "sonnet");
  expect(withoutHooks(changed)).toBe(text.replace("opus", "sonnet"));

  const behind = '  /* of both */ "z": 1, // last\n  // end\n';
  const between = install('{\n  // first\n  "a": [1, 2] /* why */\n}\n');
  const [head, tail] = [between.slice(0, -"}\n".length), "}\n"];
  const followed = `${head.trimEnd()}, // about hooks\n${behind}${tail}`;
  expect(withoutHooks(followed)).toBe(
    `{\n  // first\n  "a": [1, 2], /* why */\n  // about hooks\n${behind}${tail}`,
  );

  const group = `{ "hooks": [{ "type": "command", "command": "${command}" }] }`;
  const mine = '{ "hooks": [{ "type": "command", "command": "mine" }] }';
  for (const [held, left] of [
    [`[${mine}, ${group}]`, `[${mine}]`],
    [`[${group}, ${mine}]`, `[${mine}]`],
    [`[${mine}, ${group}, ${mine}]`, `[${mine}, ${mine}]`],
    [`[ // why\n  ${group}\n]`, "[ // why\n]"],
    [`[\n  ${mine}, // a\n  ${group}, // b\n]`, `[\n  ${mine}, // a\n  // b\n]`],
    [`[\r\n  ${mine} // a\r\n  , ${group}\r\n]`, `[\r\n  ${mine} // a\r\n]`],
  ])
    expect(withoutHooks(`{ "hooks": { "Stop": ${held} } }`)).toBe(
      `{ "hooks": { "Stop": ${left} } }`,
    );
});

test(`no comment is ever lost, nor comes to stand behind another one (seed ${seed})`, () => {
  const gap = fc.constantFrom("", " ", "\n", "\n  ", "\r\n\t", " /*#*/ ", " //#\n", "\n  // #\n  ");
  const tokens =
    '{|"model"|:|"opus"|,|"hooks"|:|{|"Stop"|:|[|{|"hooks"|:|[|{|"command"|:|"mine"|}|]|}|]|}|,|"a"|:|[|1|,|2|]|}';
  const parts = tokens.split("|");
  fc.assert(
    fc.property(fc.array(gap, { minLength: parts.length, maxLength: parts.length }), (gaps) => {
      const text = parts
        .map((part, index) => `${part}${gaps[index]!.replace("#", `c${index}.`)}`)
        .join("");
      const comments = (of: string) => of.match(/c\d+\./g) ?? [];
      const installed = install(text);
      const moved = withHooks(installed, entries, command.replace("/opt", "/usr/lib"));
      const left = withoutHooks(moved);
      for (const changed of [installed, moved, left])
        expect(comments(changed)).toEqual(comments(text));
      expect(saidBy(left)).toEqual(saidBy(text));
    }),
    { seed, numRuns: 300 },
  );
});

test("an empty or missing file becomes settings with our hooks alone", () => {
  for (const text of ["", "  \n", "{}", "{\n}\n"])
    expect(Object.keys(saidBy(install(text)) as object)).toEqual(["hooks"]);
});

test("settings of a form we do not know are refused, not mended", () => {
  for (const text of [
    "[]",
    '"x"',
    "{",
    '{"hooks":[]}',
    '{"hooks":{"Stop":{}}}',
    "{'a':1}",
    "nonsense",
  ])
    expect(() => install(text)).toThrow();
});

test(`whatever the settings, installing and taking out again leaves what they say (seed ${seed})`, () => {
  const json = fc.dictionary(
    fc.string({ maxLength: 5 }).filter((key) => key !== "hooks" && key !== "__proto__"),
    fc.jsonValue({ maxDepth: 2 }),
    { maxKeys: 4 },
  );
  const foreign = fc.dictionary(
    fc.constantFrom("Stop", "PreToolUse", "SessionStart"),
    fc.array(fc.constant({ hooks: [{ type: "command", command: "mine" }] }), {
      minLength: 1,
      maxLength: 2,
    }),
  );
  const spaces = fc.constantFrom(0, 1, 2, 4, "\t");
  fc.assert(
    fc.property(json, foreign, spaces, fc.boolean(), (settings, hooks, space, first) => {
      const known = Object.keys(hooks).length === 0 ? {} : { hooks };
      const value = first ? { ...known, ...settings } : { ...settings, ...known };
      const text = JSON.stringify(value, undefined, space);
      const installed = install(text);
      expect(foundHooks(installed)).toHaveLength(entries.length);
      expect(JSON.parse(installed)).toMatchObject(settings);
      expect(JSON.parse(withoutHooks(installed))).toEqual(value);
    }),
    { seed },
  );
});

test("every JSON is read as JSON reads it", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(plain(parseJsonc(JSON.stringify(value, undefined, 1)))).toEqual(value);
    }),
    { seed },
  );
});

function plain(node: ReturnType<typeof parseJsonc>): unknown {
  if (node.type === "scalar") return node.value;
  if (node.type === "array") return node.elements.map(plain);
  return Object.fromEntries(node.members.map(({ key, value }) => [key, plain(value)]));
}

test("the program to notify is named before the first table, and taken out again exactly", () => {
  const argv = ["/usr/bin/node", "/opt/reprise/reprise-hook.cjs", "codex"];
  for (const text of [
    "",
    'model = "x"\n',
    'model = "x"',
    '# top\nmodel = "x"\n\n[tui]\nnotify = "other"\n',
    "[tui]\nx = 1\n",
    'long = """\n[not a table]\n"""\nlist = [\n  "a", # [b]\n]\n[t]\n',
    'model = "x"\r\n[t]\r\n',
  ]) {
    const named = withNotify(text, argv);
    expect(notifiesUs(named)).toBe(true);
    expect(withNotify(named, argv)).toBe(named);
    expect(withoutNotify(named)).toBe(text === 'model = "x"' ? `${text}\n` : text);
    expect(named.indexOf("notify = [")).toBeLessThan(`${named}\n[`.search(/^\[(?!not)/m) + 1);
  }
  const foreign = 'notify = ["mine"]\n';
  expect(foreignNotify(foreign)).toBe(true);
  expect(withNotify(foreign, argv)).toBe(foreign);
});
