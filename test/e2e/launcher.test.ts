import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { launcherText } from "../../src/bridge/install/launcher.ts";
import { type Machine, machine, program, root } from "./program.ts";

const payload = JSON.stringify({
  session_id: "s",
  hook_event_name: "UserPromptSubmit",
  prompt: "x",
  cwd: "/p",
});

let here: Machine;
beforeEach(() => {
  here = machine();
  here.env["REPRISE_NO_DRAIN"] = "1";
});

const launcher = () => join(here.home, ".reprise", "bin", "reprise-hook");
const claude = () => join(here.home, ".claude", "settings.json");

/** The package in a folder, as an installer puts it there. */
function packageIn(folder: string): string {
  const place = join(folder, "reprise", "dist", "bin");
  cpSync(join(root, "dist", "bin"), place, { recursive: true });
  return join(place, "reprise-hook.cjs");
}

function nodeIn(bin: string): string {
  mkdirSync(bin, { recursive: true });
  symlinkSync(process.execPath, join(bin, "node"));
  return join(bin, "node");
}

/** A launcher that knows these paths, started as an agent starts it; how often its hook has run by then. */
function started(known: { readonly node: string; readonly script: string }, env: object = {}) {
  mkdirSync(dirname(launcher()), { recursive: true });
  writeFileSync(launcher(), launcherText(known), { mode: 0o700 });
  const variables = { ...here.env, PATH: "/nowhere", ...env };
  return ran(spawnSync(launcher(), ["claude-code"], { env: variables, input: payload }));
}

function ran(ended: { status: number | null; stdout: Buffer | string; stderr: Buffer | string }) {
  expect([ended.status, String(ended.stderr)]).toEqual([0, ""]);
  const folder = join(here.home, ".reprise", "bridge", "claude-code");
  if (!existsSync(folder)) return 0;
  const logs = readdirSync(folder).filter((name) => name.endsWith(".jsonl"));
  return logs.map((name) => readFileSync(join(folder, name), "utf8").split("\n").length - 1)[0];
}

/** The lines or words that the settings of each agent hold after an installation. */
function installed() {
  expect(here.run("hooks", "install", "all", "--yes").status).toBe(0);
  const settings = readFileSync(claude(), "utf8");
  const { hooks } = JSON.parse(settings) as {
    hooks: Record<string, { hooks: { command: string }[] }[]>;
  };
  const config = readFileSync(join(here.home, ".codex", "config.toml"), "utf8");
  const plugin = readFileSync(
    join(here.home, ".config", "opencode", "plugin", "reprise.js"),
    "utf8",
  );
  return {
    line: hooks["Stop"]?.[0]?.hooks[0]?.command ?? "",
    notify: JSON.parse(/^notify = (.*)$/m.exec(config)?.[1] ?? "[]") as string[],
    plugin: JSON.parse(/^const \[program, \.\.\.args\] = (.*);$/m.exec(plugin)?.[1] ?? "[]"),
  };
}

describe.skipIf(process.platform === "win32")("the launcher", () => {
  test("what is installed is a launcher of our home, for shell lines as for lists of words", () => {
    const { line, notify, plugin } = installed();
    expect(line).toBe(`test ! -x ${launcher()} || ${launcher()} claude-code`);
    expect(notify).toEqual([launcher(), "codex"]);
    expect(plugin).toEqual([launcher(), "opencode"]);
    expect(statSync(launcher()).mode & 0o777).toBe(0o700);
    const options = { env: here.env, input: payload, shell: "/bin/sh" } as const;
    expect(ran(spawnSync(line, options))).toBe(1);
    expect(ran(spawnSync(notify[0]!, ["claude-code", payload], { env: here.env }))).toBe(2);
  });

  test("a home with a quote and spaces in its name is called all the same", () => {
    const odd = join(here.home, "it's a home");
    here.env["REPRISE_HOME"] = odd;
    const { line } = installed();
    const options = { env: { ...here.env, REPRISE_HOME: "" }, input: payload } as const;
    expect(ran(spawnSync(line, { ...options, shell: "/bin/sh" }))).toBe(1);
    rmSync(join(odd, "bin"), { recursive: true });
    expect(ran(spawnSync(line, { ...options, shell: "/bin/sh" }))).toBe(1);
  });

  test("without our home, agents' lines end with 0 and say nothing", () => {
    const { line } = installed();
    rmSync(join(here.home, ".reprise"), { recursive: true });
    for (const shell of ["/bin/sh", "/bin/bash"])
      expect(ran(spawnSync(line, { env: here.env, input: payload, shell }))).toBe(0);
  });

  test("without the package, without Node, or with half of the package: 0, and not a word", () => {
    const hook = join(root, "dist", "bin", "reprise-hook.cjs");
    const { execPath: node } = process;
    expect(started({ node, script: "/nowhere/reprise-hook.cjs" })).toBe(0);
    expect(started({ node: "/nowhere/node", script: hook }, { PATH: "" })).toBeLessThanOrEqual(1);
    const half = packageIn(join(here.home, "half"));
    rmSync(join(dirname(half), "hook"), { recursive: true });
    const before = started({ node, script: half });
    expect(started({ node, script: half })).toBe(before);
    const broken = join(here.home, "node");
    writeFileSync(broken, "not a program", { mode: 0o755 });
    expect(started({ node: broken, script: half })).toBe(before);
  });

  test("an agent that closes no pipe and one that sends nothing get their answer", () => {
    const { line } = installed();
    const ended = spawnSync(line, { env: here.env, shell: "/bin/sh", stdio: "ignore" });
    expect(ended.status).toBe(0);
  });

  const gone = { node: "/nowhere/node", script: "/nowhere/reprise-hook.cjs" };

  test("a Node and a package that moved are found on the PATH", () => {
    const bin = join(here.home, "new node", "bin");
    nodeIn(bin);
    packageIn(join(here.home, "new node", "lib", "node_modules"));
    expect(started(gone, { PATH: `:relative:${bin}:/usr/bin` })).toBe(1);
  });

  test.each([
    [".nvm/versions/node/v22.1.0"],
    [".local/share/fnm/node-versions/v24.0.0/installation"],
    [".asdf/installs/nodejs/22.2.0"],
    [".local/share/mise/installs/node/24.3.0"],
  ])("and in %s", (prefix) => {
    nodeIn(join(here.home, prefix, "bin"));
    packageIn(join(here.home, prefix, "lib", "node_modules"));
    expect(started(gone)).toBe(1);
  });

  test("and where Volta keeps them", () => {
    nodeIn(join(here.home, ".volta", "bin"));
    packageIn(
      join(here.home, ".volta", "tools", "image", "packages", "reprise", "lib", "node_modules"),
    );
    expect(started(gone)).toBe(1);
  });

  test("a Node that cannot run the hook is passed over, a newer one of nvm is taken", () => {
    const script = packageIn(join(here.home, "lib"));
    const old = join(here.home, "old");
    mkdirSync(old);
    writeFileSync(join(old, "node"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
    for (const version of ["v8.0.0", "v20.19.0"])
      mkdirSync(join(here.home, ".nvm", "versions", "node", version), { recursive: true });
    nodeIn(join(here.home, ".nvm", "versions", "node", "v24.1.0", "bin"));
    expect(started({ node: "/nowhere/node", script }, { PATH: old })).toBe(1);
  });

  test("nothing of the folder an agent works in is started", () => {
    const script = packageIn(join(here.home, "lib"));
    writeFileSync(join(here.cwd, "node"), "#!/bin/sh\ntouch started\n", { mode: 0o755 });
    mkdirSync(dirname(launcher()), { recursive: true });
    writeFileSync(launcher(), launcherText({ node: "/nowhere/node", script }), { mode: 0o700 });
    for (const PATH of ["", ".", ":", "./"])
      spawnSync(launcher(), ["claude-code"], {
        cwd: here.cwd,
        env: { HOME: here.home, PATH },
        input: payload,
      });
    expect(existsSync(join(here.cwd, "started"))).toBe(false);
  });
});

describe.skipIf(process.platform === "win32")("install, status and uninstall", () => {
  const old = (agent: string) =>
    `${process.execPath} ${join(dirname(program), "reprise-hook.cjs")} ${agent}`;

  /** Settings as an older version left them. */
  function installedBefore(): void {
    mkdirSync(dirname(claude()));
    const hook = { type: "command", command: old("claude-code"), timeout: 5 };
    writeFileSync(
      claude(),
      JSON.stringify({ model: "opus", hooks: { Stop: [{ hooks: [hook] }] } }, undefined, 2),
    );
    mkdirSync(join(here.home, ".codex"));
    const words = JSON.stringify(old("codex").split(" "));
    writeFileSync(
      join(here.home, ".codex", "config.toml"),
      `notify = ${words.replaceAll(",", ", ")}\n`,
    );
  }

  interface Status {
    readonly agents: readonly {
      readonly installed: readonly {
        readonly outdated: boolean;
        readonly dead: readonly string[];
      }[];
    }[];
  }
  const status = () =>
    (here.json("hooks", "status", "claude-code") as unknown as Status).agents[0]?.installed[0];

  test("what an older version installed is named as old, replaced by install, gone after uninstall", () => {
    installedBefore();
    expect(status()).toMatchObject({ outdated: true, dead: [] });
    expect(here.run("hooks", "status", "claude-code").stdout).toContain("older version");
    here.run("hooks", "install", "claude-code", "codex", "--yes");
    expect(readFileSync(claude(), "utf8")).not.toContain(".cjs");
    expect(readFileSync(join(here.home, ".codex", "config.toml"), "utf8")).not.toContain(".cjs");
    expect(status()).toMatchObject({ outdated: false, dead: [] });
    here.run("hooks", "uninstall", "claude-code", "codex", "--yes");
    expect(JSON.parse(readFileSync(claude(), "utf8"))).toEqual({ model: "opus" });
    expect(readFileSync(join(here.home, ".codex", "config.toml"), "utf8")).toBe("");
  });

  test("status names the Node and the package that are gone, and a launcher of another version", () => {
    installed();
    const text = readFileSync(launcher(), "utf8");
    writeFileSync(launcher(), text.replace(/^node=.*$/m, "node='/gone/node'"));
    expect(status()).toMatchObject({ dead: ["/gone/node"], outdated: false });
    writeFileSync(launcher(), text.replace(/^hook=.*$/m, "hook='/gone/reprise-hook.cjs'"));
    expect(status()).toMatchObject({ dead: ["/gone/reprise-hook.cjs"], outdated: false });
    appendFileSync(launcher(), "# more\n");
    expect(status()).toMatchObject({ outdated: true });
    expect(here.run("hooks", "install", "claude-code", "--yes").status).toBe(0);
    expect(status()).toMatchObject({ dead: [], outdated: false });
    rmSync(launcher());
    expect(status()).toMatchObject({ dead: [launcher()], outdated: false });
  });

  test("the launcher goes with the last hook, whichever project's it is, and not before", () => {
    here.run("hooks", "install", "claude-code", "codex", "--yes");
    here.run("hooks", "install", "claude-code", "--project", "--yes");
    here.run("hooks", "uninstall", "claude-code", "--yes");
    expect(existsSync(launcher())).toBe(true);
    here.run("hooks", "uninstall", "codex", "--yes");
    expect(existsSync(launcher())).toBe(true);
    here.run("hooks", "uninstall", "claude-code", "--project", "--yes");
    expect(existsSync(dirname(launcher()))).toBe(false);
  });

  test("undo brings a removed launcher back as a program, and takes a new one away", () => {
    here.run("hooks", "install", "claude-code", "--yes");
    const text = readFileSync(launcher(), "utf8");
    here.run("hooks", "uninstall", "claude-code", "--yes");
    expect(here.run("undo").status).toBe(0);
    expect(readFileSync(launcher(), "utf8")).toBe(text);
    expect(statSync(launcher()).mode & 0o777).toBe(0o700);
    expect(here.run("undo").status).toBe(0);
    expect(existsSync(launcher())).toBe(false);
    expect(existsSync(claude())).toBe(false);
  });

  test("a launcher that lost its mode gets it back", () => {
    here.run("hooks", "install", "claude-code", "--yes");
    chmodSync(launcher(), 0o600);
    here.run("hooks", "install", "claude-code", "--yes");
    expect(statSync(launcher()).mode & 0o777).toBe(0o700);
  });

  test("after the package moved, the next installation from there is known to the launcher", () => {
    here.run("hooks", "install", "claude-code", "--yes");
    const moved = join(here.home, "moved");
    packageIn(moved);
    renameSync(join(moved, "reprise"), join(moved, "again"));
    const there = join(moved, "again", "dist", "bin", "reprise.js");
    const ended = spawnSync(process.execPath, [there, "hooks", "install", "claude-code", "--yes"], {
      cwd: here.cwd,
      env: here.env,
    });
    expect(ended.status).toBe(0);
    expect(readFileSync(launcher(), "utf8")).toContain(dirname(there));
  });
});
