import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mcp as codex } from "../../src/agents/codex/mcp.ts";
import { withEntry, withoutEntry } from "../../src/bridge/install/settings-file/server-entry.ts";
import { type Machine, machine } from "./program.ts";
import { openTerminal } from "./terminal.ts";

/** By program: its settings in the home, and what people may have in them. */
const settings: Readonly<
  Record<string, { readonly file: string; readonly texts: readonly string[] }>
> = {
  "claude-code": {
    file: ".claude.json",
    texts: [
      '{\n  "numStartups": 3,\n  "mcpServers": {\n    "other": { "command": "x" }\n  }\n}\n',
      "{}",
    ],
  },
  codex: {
    file: ".codex/config.toml",
    texts: [
      'model = "gpt-5.5" # mine\n\n[mcp_servers.other]\ncommand = "x"\n',
      'notify = [\n  "a",\n]\r\n[x]\r\ny = 1\r\n',
      "",
    ],
  },
  "gemini-cli": {
    file: ".gemini/settings.json",
    texts: ['{ // mine\n\t"ui": {"theme":"x",},\n}\n', '{"mcpServers":{}}'],
  },
  opencode: {
    file: ".config/opencode/opencode.json",
    texts: ['{"$schema":"x","mcp":{"a":{"type":"local"}}}'],
  },
  cursor: { file: ".cursor/mcp.json", texts: ['{\r\n  "mcpServers": {\r\n  }\r\n}\r\n'] },
  "copilot-cli": {
    file: ".copilot/mcp-config.json",
    texts: ['{"mcpServers":{"a":{"command":"b"}}}\n'],
  },
  vscode: { file: ".config/Code/User/mcp.json", texts: ['{\n  "servers": {},\n  "inputs": []\n}'] },
};

const cases = Object.entries(settings).flatMap(([agent, { file, texts }]) =>
  [undefined, ...texts].map((text) => [agent, file, text] as const),
);

describe("the server in the settings of other programs", () => {
  test.each(cases)(
    "%s: installed, seen, and gone again byte for byte (%s %j)",
    (agent, file, text) => {
      const here = machine();
      const path = join(here.home, file);
      if (text !== undefined) put(path, text);
      const planned = here.run("mcp", "install", agent);
      expect(planned.status).toBe(0);
      expect(textAt(path)).toBe(text);
      expect(here.run("mcp", "install", agent, "--yes").status).toBe(0);
      expect(installedIn(here, agent)).toMatchObject([{ file: path, write: false, dead: [] }]);
      expect(here.run("mcp", "install", agent, "--yes").stdout).toContain("installed already");
      expect(here.run("mcp", "install", agent, "--write", "--yes").status).toBe(0);
      expect(installedIn(here, agent)).toMatchObject([{ write: true }]);
      expect(here.run("mcp", "uninstall", agent, "--yes").status).toBe(0);
      expect(textAt(path)).toBe(text);
      expect(existsSync(dirname(path))).toBe(text !== undefined || dirname(path) === here.home);
      expect(installedIn(here, agent)).toEqual([]);
    },
  );

  test("says whether a file was made, changed or removed, and what agents can do now", () => {
    const here = machine();
    const path = join(here.home, ".claude.json");
    const made = here.run("mcp", "install", "claude-code", "--yes");
    expect(made.stdout).toBe("Made ~/.claude.json\n");
    expect(made.stderr).toContain("Claude Code can now search and read your sessions");
    expect(here.run("mcp", "status", "claude-code").stdout).toContain(
      "  installed for the user in ~/.claude.json; memories of agents wait in the inbox\n",
    );
    const removed = here.run("mcp", "uninstall", "claude-code", "--yes");
    expect(removed.stdout).toBe("Removed ~/.claude.json: nothing else was in it.\n");
    put(path, "{}\n");
    for (const action of ["install", "uninstall"])
      expect(here.run("mcp", action, "claude-code", "--yes").stdout).toBe(
        "Changed ~/.claude.json\n",
      );
  });

  test("the plan is tidy, and undo names the file as the plan did, and says that it was removed", () => {
    const here = machine();
    const { stdout } = here.run("mcp", "install", "claude-code");
    expect(stdout).toContain('+      "env": {}\n');
    expect(stdout).toContain("+++ ~/.claude.json\n");
    expect(stdout).not.toMatch(/^\+$/m);
    here.run("mcp", "install", "claude-code", "--yes");
    expect(here.run("undo").stderr).toBe(
      "Undone: installation of the MCP server for claude-code in ~/.claude.json; removed ~/.claude.json.\n",
    );
    put(join(here.home, ".claude.json"), '{"theirs":1}\n');
    here.run("mcp", "install", "claude-code", "--yes");
    expect(here.run("undo").stderr).toContain("; restored ~/.claude.json.\n");
  });

  test("what others wrote since stays when the server goes", () => {
    const here = machine();
    const path = join(here.home, ".claude.json");
    put(path, '{\n  "numStartups": 3\n}\n');
    here.run("mcp", "install", "claude-code", "--yes");
    writeFileSync(path, textAt(path)!.replace('"numStartups": 3', '"numStartups": 4'));
    here.run("mcp", "uninstall", "claude-code", "--yes");
    expect(textAt(path)).toBe('{\n  "numStartups": 4\n}\n');
  });

  test("hooks and the server in one file come and go without each other", () => {
    for (const order of [
      ["hooks", "mcp"],
      ["mcp", "hooks"],
    ]) {
      const here = machine();
      const path = join(here.home, ".gemini", "settings.json");
      const text = '{\n  "ui": {}\n}\n';
      put(path, text);
      for (const command of order) here.run(command, "install", "gemini-cli", "--yes");
      const [first = "", second = ""] = order;
      here.run(first, "uninstall", "gemini-cli", "--yes");
      expect(textAt(path)).toContain(second === "mcp" ? "mcpServers" : "reprise-hook");
      expect(textAt(path)).not.toContain(first === "mcp" ? "mcpServers" : "reprise-hook");
      here.run(second, "uninstall", "gemini-cli", "--yes");
      expect(textAt(path)).toBe(text);
    }
  });

  test("undo puts the file back; another's server of the same name and odd settings are left alone", () => {
    const here = machine();
    const path = join(here.home, ".cursor", "mcp.json");
    put(path, '{"mcpServers":{}}');
    here.run("mcp", "install", "cursor", "--yes");
    expect(here.run("undo").status).toBe(0);
    expect(textAt(path)).toBe('{"mcpServers":{}}');
    for (const odd of [
      '{"mcpServers":{"reprise":{"command":"theirs"}}}',
      '{"mcpServers":[]}',
      "[]",
      "{",
    ]) {
      writeFileSync(path, odd);
      expect(here.run("mcp", "install", "cursor", "--yes").status, odd).not.toBe(0);
      expect(here.run("mcp", "uninstall", "cursor", "--yes").status === 0 || odd === "{").toBe(
        true,
      );
      expect(textAt(path)).toBe(odd);
    }
    const toml = join(here.home, ".codex", "config.toml");
    put(toml, 'mcp_servers = { other = { command = "x" } }\n');
    expect(here.run("mcp", "install", "codex", "--yes").status).not.toBe(0);
    expect(textAt(toml)).toBe('mcp_servers = { other = { command = "x" } }\n');
  });

  test("a project's settings take the server too, where the program has some", () => {
    const here = machine();
    expect(here.run("mcp", "install", "claude-code", "--project", "--yes").status).toBe(0);
    expect(textAt(join(here.cwd, ".mcp.json"))).toContain('"reprise"');
    expect(here.run("mcp", "install", "copilot-cli", "--project", "--yes").status).not.toBe(0);
    expect(here.run("mcp", "uninstall", "claude-code", "--project", "--yes").status).toBe(0);
    expect(existsSync(join(here.cwd, ".mcp.json"))).toBe(false);
  });

  test("on a terminal it asks whether agents may write, and no is the default", async () => {
    for (const [typed, write] of [
      ["\r", false],
      ["y\r", true],
    ] as const) {
      const here = machine();
      const screen = openTerminal(["mcp", "install", "cursor", "--yes"], {
        columns: 120,
        rows: 20,
        machine: here,
      });
      await screen.shows("May agents write?");
      screen.type(typed);
      expect(await screen.end()).toBe(0);
      expect(installedIn(here, "cursor")).toMatchObject([{ write }]);
    }
  });

  test("a person who starts the server on a terminal is told what it is", async () => {
    const screen = openTerminal(["mcp"], { columns: 120, rows: 20, machine: machine() });
    await screen.shows("This is a server that agents start");
    screen.type("\u0003");
    expect(await screen.end()).not.toBe(0);
  });

  test("adding an entry to a file of several lines and taking it out gives the same bytes", () => {
    const json = fc.dictionary(fc.string(), fc.jsonValue()).map((value) => ({ ...value }));
    const place = { holder: "mcpServers", name: "reprise" };
    fc.assert(
      fc.property(json, fc.constantFrom(1, 2, "\t"), (value, indent) => {
        fc.pre(!("mcpServers" in value));
        const text = `${JSON.stringify(value, undefined, indent)}\n`;
        expect(withoutEntry(withEntry(text, place, { command: "a", args: ["b"] }), place)).toBe(
          text,
        );
      }),
    );
    const line = fc.constantFrom(
      "a = 1",
      "[x]",
      "[x.y]",
      "# c",
      "",
      'z = "[mcp_servers.reprise]"',
      "s = '''",
      "'''",
    );
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        if (codex.form !== "text") throw new Error("Codex has TOML.");
        const text = lines.map((one) => `${one}\n`).join("");
        fc.pre((text.match(/'''/g) ?? []).length % 2 === 0);
        const added = codex.with(text, "reprise", { command: "a", args: ["b"] });
        expect(codex.argvIn(added, "reprise")).toEqual(["a", "b"]);
        expect(codex.without(added, "reprise")).toBe(text);
      }),
    );
  });
});

function installedIn(here: Machine, agent: string): unknown {
  const { agents } = here.json("mcp", "status", agent) as {
    agents: readonly { installed: unknown }[];
  };
  return agents[0]?.installed;
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function textAt(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}
