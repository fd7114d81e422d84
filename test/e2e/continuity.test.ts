import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { injectedText, withoutInjected } from "../../src/model/injected.ts";
import { putClaudeSession } from "./agents-home.ts";
import { type Machine, machine } from "./program.ts";

const id = "3f9a1c2b-0000-4000-8000-000000000001";
const secret = ["ghp", "0123456789abcdefghijABCDEFGHIJ456789"].join("_");

function withSession(): Machine {
  const here = machine();
  mkdirSync(join(here.cwd, ".git"));
  putClaudeSession(here, { id }, [
    { user: "Move the API to port 9090. Never touch the old config.", says: "On it." },
    {
      user: `The token is ${secret}.`,
      says: "I decided to keep one constant because tests read it. Should the old port redirect?",
    },
  ]);
  return here;
}

describe("reprise session", () => {
  test("restore prints what to load, marked as ours, within the budget and without secrets", () => {
    const here = withSession();
    const { text, tokens, parts } = here.json("session", "restore", "3f9a", "--budget", "900");
    expect(text).toContain("Move the API to port 9090");
    expect(text).not.toContain(secret);
    expect(withoutInjected(String(text))).toBe("");
    expect(Number(tokens)).toBeLessThanOrEqual(900);
    expect(parts).toEqual(["handover"]);
    const printed = here.run("session", "restore", "3f9a", "--budget", "900");
    const unmarked = (page: string): string => page.replace(/(?<=\[secret:[\w-]+:)\w{4}/g, "");
    expect(unmarked(printed.stdout.trimEnd())).toBe(unmarked(String(text)));
  });

  test("note goes into the ledger and into the next restore; a decision is pinned", () => {
    const here = withSession();
    const { ledger, ref } = here.json("session", "note", "--kind", "decision", "Redis", "stays");
    expect(ref).toBe(`claude-code:${id}`);
    expect(readFileSync(String(ledger), "utf8")).toContain("- (pinned) Redis stays\n");
    here.json("session", "note", `the key is ${secret}`);
    expect(readFileSync(String(ledger), "utf8")).not.toContain(secret);
    const { text, parts } = here.json("session", "restore");
    expect(text).toContain("- (pinned) Redis stays");
    expect(parts).toEqual(["ledger", "handover"]);
  });

  test("note is for the session the agent says it runs in, even before that has a transcript", () => {
    const here = withSession();
    here.env["REPRISE_SESSION"] = "claude-code:not-written-yet";
    const { ref, ledger } = here.json("session", "note", "Hello");
    expect(ref).toBe("claude-code:not-written-yet");
    expect(readFileSync(String(ledger), "utf8")).toContain("## Notes\n\n- Hello\n");
  });

  test("end brings the ledger up to date, leaves a hand-off, and keeps checked metrics", () => {
    const here = withSession();
    writeFileSync(join(here.cwd, "metrics.json"), '{"tests": 214, "green": true}');
    const ended = here.json(
      "session",
      "end",
      "--summary",
      "Port moved",
      "--metrics",
      "metrics.json",
    );
    const page = readFileSync(String(ended["ledger"]), "utf8");
    expect(page).toContain("## Goal\n\nMove the API to port 9090. Never touch the old config.\n");
    expect(page).toContain("- Never touch the old config.\n");
    expect(page).toContain("- [x] Port moved\n");
    expect(page).toContain("- Should the old port redirect?\n");
    expect(readFileSync(String(ended["handoff"]), "utf8")).not.toContain(secret);
    expect(ended["metrics"]).toEqual({ tests: 214, green: true });
    for (const bad of ["[1]", '{"a":{"b":1}}', "nonsense", '{"__proto__":1}']) {
      writeFileSync(join(here.cwd, "metrics.json"), bad);
      expect(here.run("session", "end", "--metrics", "metrics.json").status).toBe(1);
    }
    expect(here.run("session", "end", "--metrics", "missing.json").status).toBe(3);
  });

  test("end of a session of our own says so in its log", () => {
    const here = machine();
    const { session, file } = here.json("new", "--title", "Ours");
    here.json("session", "note", "--session", String(session), "Half way");
    here.json("session", "end", "--session", String(session), "--summary", "All done");
    const log = readFileSync(String(file), "utf8");
    expect(log).toContain('"type":"note","content":"Half way"');
    expect(log).toContain('"type":"session_end","summary":"All done"');
  });

  test("wrong usage is explained", () => {
    const here = withSession();
    expect(here.run("session", "begin").status).toBe(2);
    expect(here.run("session", "note").status).toBe(2);
    expect(here.run("session", "restore", "nothing-like-this").status).toBe(3);
  });
});

describe("reprise ledger", () => {
  test("is made of the session where no hook kept one, and respects what a person wrote", () => {
    const here = withSession();
    const path = here.run("ledger", "--path").stdout.trim();
    const page = readFileSync(path, "utf8");
    expect(here.run("ledger").stdout).toBe(page);
    writeFileSync(
      path,
      page.replace("Move the API to port 9090. Never touch the old config.", "Ship 2.0"),
    );
    here.run("ledger", "--renew");
    expect(readFileSync(path, "utf8")).toContain("## Goal\n\nShip 2.0\n");
  });
});

describe("reprise task", () => {
  test("keeps no secret that was typed with a task or its note", () => {
    const here = withSession();
    here.json("task", "add", "rotate", secret, "--to", "ops", "--note", `old: ${secret}`);
    here.json("task", "done", "rotate", secret, "--to", "ops");
    const told = JSON.stringify(here.json("task"));
    expect(told).toContain("rotate [secret:");
    // Names are kept in lower case.
    expect(told.toLowerCase()).not.toContain(secret.toLowerCase());
  });

  test("follows agents from task to task, and the project's own workflows", () => {
    const here = withSession();
    mkdirSync(join(here.cwd, ".reprise"));
    const steps = [
      { task: "cut", state: "branched", agent: "dev" },
      { task: "sign", state: "signed", agent: "ops" },
    ];
    writeFileSync(
      join(here.cwd, ".reprise", "workflows.json"),
      JSON.stringify({ workflows: [{ name: "release", steps }] }),
    );
    here.json("task", "add", "sign", "--agent", "ops");
    const told = here.json(
      "task",
      "done",
      "cut",
      "--agent",
      "dev",
      "--to",
      "ops",
      "--note",
      "v2.0",
    );
    expect(told).toMatchObject({
      agents: ["dev"],
      workflow: { workflow: "release", state: "branched", next: { task: "sign", agent: "ops" } },
      handovers: [{ from: "dev", to: "ops", note: "v2.0" }],
    });
    expect(here.run("task").stdout).toBe(
      `[ ] sign  (ops)
[x] cut  (dev)
Agents: dev
Workflow: release, branched, next sign (ops)
dev to ops: v2.0
`,
    );
    expect(here.run("task", "done").status).toBe(2);
    expect(here.run("task", "fly", "away").status).toBe(2);
  });
});

describe("reprise slash", () => {
  test("a misspelt action is told before anything is looked for", () => {
    const { status, stderr } = machine().run("slash", "instal");
    expect(status).toBe(2);
    expect(stderr).toContain('Not an action: "instal".');
  });

  test("adds commands after a yes, once, and takes away only what is untouched", () => {
    const here = machine();
    mkdirSync(join(here.home, ".claude"));
    const folder = join(here.home, ".claude", "commands", "reprise");
    expect(here.run("slash", "install").status).toBe(0);
    expect(existsSync(folder)).toBe(false);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "share.md"), "mine");
    const { entries } = here.json("slash", "install", "--yes");
    expect(entries).toHaveLength(1);
    expect(readFileSync(join(folder, "share.md"), "utf8")).toBe("mine");
    expect(readFileSync(join(folder, "handoff.md"), "utf8")).toContain("$ARGUMENTS");
    expect(here.json("slash", "install", "--yes")["entries"]).toEqual([]);
    writeFileSync(join(folder, "search.md"), "changed by me");
    here.json("slash", "uninstall", "--yes");
    expect(existsSync(join(folder, "handoff.md"))).toBe(false);
    expect(readFileSync(join(folder, "search.md"), "utf8")).toBe("changed by me");
    expect(readFileSync(join(folder, "share.md"), "utf8")).toBe("mine");
  });

  test("is for Gemini CLI and OpenCode too, and undo takes it back without a trace", () => {
    const here = machine();
    here.json("slash", "install", "gemini-cli", "opencode", "--yes");
    const gemini = join(here.home, ".gemini", "commands", "reprise");
    const opencode = join(here.home, ".config", "opencode", "commands", "reprise");
    expect(readFileSync(join(gemini, "resume.toml"), "utf8")).toMatch(
      /^description = ".+"\nprompt = '''\n[^']*\{\{args\}\}[\s\S]*'''\n$/,
    );
    expect(readFileSync(join(opencode, "resume.md"), "utf8")).toContain("$ARGUMENTS");
    here.json("undo");
    expect(existsSync(join(here.home, ".config"))).toBe(false);
    expect(existsSync(gemini)).toBe(true);
    here.json("undo");
    expect(existsSync(join(here.home, ".gemini"))).toBe(false);
  });
});

describe("reprise handoff", () => {
  test("writes the page to a file that was named, and overwrites one only after a yes", () => {
    const here = machine();
    const id = "3f9a1c2b-0000-4000-8000-000000000003";
    putClaudeSession(here, { id }, [{ user: "Fix the parser", says: "Done." }]);
    const page = here.run("handoff", "3f9a").stdout;
    expect(page).toMatch(/^# Handoff\n/);
    const written = here.run("handoff", "3f9a", "-o", "page.md");
    expect(written.stdout).toBe("");
    expect(written.stderr).toContain("Written to page.md.");
    const path = join(here.cwd, "page.md");
    expect(readFileSync(path, "utf8")).toBe(page);
    writeFileSync(path, "mine");
    expect(here.run("handoff", "3f9a", "-o", "page.md").status).not.toBe(0);
    expect(readFileSync(path, "utf8")).toBe("mine");
    expect(here.json("handoff", "3f9a", "-o", "page.md", "--yes")["output"]).toMatchObject({
      path,
    });
    expect(here.run("handoff", "3f9a", "-o", "x.md", "--in", "cursor").status).toBe(2);
  });
});

describe("what we gave to a model", () => {
  test("is no title, no prompt in a hand-over, and no words of the user in another agent", () => {
    const here = machine();
    const other = "3f9a1c2b-0000-4000-8000-000000000002";
    putClaudeSession(here, { id: other }, [
      { user: `${injectedText("# Ledger\n\nA goal of before")}\n\nFix the parser`, says: "Done." },
    ]);
    const { sessions } = here.json("list") as { sessions: { title: string }[] };
    expect(sessions.map(({ title }) => title)).toEqual(["Fix the parser"]);
    expect(here.run("handoff", "3f9a").stdout).not.toContain("A goal of before");
    here.json("resume", "3f9a", "--in", "pi");
    const [copy] = here.json("list", "--agent", "pi")["sessions"] as { path: string }[];
    const carried = readFileSync(copy?.path ?? "", "utf8");
    expect(carried).toContain("Fix the parser");
    expect(carried).not.toContain("A goal of before");
  });
});
