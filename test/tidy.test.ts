import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { parse as parseYaml } from "yaml";

/** The rules of the house, as a test. */
const root = fileURLToPath(new URL("..", import.meta.url));

/** The order of the rooms: a folder imports only folders before it. */
const order = [
  "base",
  "json",
  "model",
  "jsonl",
  "additions",
  "sqlite",
  "redact",
  "blobs",
  "log",
  "context",
  "providers",
  "store",
  "snapshot",
  "agents",
  "vault",
  "convert",
  "catalog",
  "memory",
  "bridge",
  "loop",
  "testing",
  "programs",
] as const;

/** What an agent's folder may use; our own store is the one agent that is ours all the way down. */
const agentRooms = new Set(["base", "json", "model", "jsonl", "additions", "sqlite", "redact"]);
const ownAgentRooms = new Set([...agentRooms, "log", "blobs", "store"]);

/** What all agents' folders share of their own room. */
const sharedByAgents = new Set([
  "add-notes.ts",
  "batches.ts",
  "checkpoints-contract.ts",
  "belongings-contract.ts",
  "contract.ts",
  "document.ts",
  "row-document.ts",
  "gemini-parts.ts",
  "head-lines.ts",
  "json-elements.ts",
  "hooks-contract.ts",
  "mcp-contract.ts",
  "memories-contract.ts",
  "note-parts.ts",
  "notes-contract.ts",
  "project-folders.ts",
  "new-files.ts",
  "session-file.ts",
  "shadow-git.ts",
  "usage-contract.ts",
  "whole-file.ts",
]);

const longestFile = 400;

function files(folder: string, ending: RegExp): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((name) => ending.test(name) && statSync(join(root, name)).isFile());
}

const sources = files("src", /\.ts$/);

function text(file: string): string {
  return readFileSync(join(root, file), "utf8");
}

/** The text without doc comments and comment lines. */
function code(file: string): string {
  return text(file)
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/^\s*\/\/.*$/gm, "");
}

function importsOf(file: string): readonly string[] {
  const stated = /^(?:import|export)\b(?:[^;"'=()]*\bfrom)?\s*"([^"]+)"/gm;
  const dynamic = /\bimport\("([^"]+)"\)/g;
  return [...text(file).matchAll(stated), ...text(file).matchAll(dynamic)].map(
    (match) => match[1]!,
  );
}

/** The files that are loaded with a file: what it imports at once, and what these do. */
function reachedFrom(file: string, seen: Set<string> = new Set()): ReadonlySet<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  const stated = /^(?:import|export)\b(?! type\b)(?:[^;"'=()]*\bfrom)?\s*"(\.[^"]+)"/gm;
  for (const [, path] of text(file).matchAll(stated))
    reachedFrom(normalize(join(dirname(file), path!)), seen);
  return seen;
}

function roomOf(file: string): string {
  return relative("src", file).split("/")[0]!;
}

/** Whether a file lies in the folder of one agent. */
function isOfAgent(file: string): boolean {
  return /^src\/agents\/[^/]+\//.test(file);
}

describe("the house", () => {
  test("arrows point down only", () => {
    const upward = sources.flatMap((file) => {
      const own = order.indexOf(roomOf(file) as (typeof order)[number]);
      if (own < 0) return [];
      return importsOf(file)
        .filter((path) => path.startsWith("."))
        .map((path) => normalize(join(dirname(file), path)))
        .filter((target) => order.indexOf(roomOf(target) as (typeof order)[number]) > own)
        .map((target) => `${file} -> ${target}`);
    });
    expect(upward).toEqual([]);
  });

  test("every folder of src is a room with a place in the order, and every room is there", () => {
    const rooms = readdirSync(join(root, "src"), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name);
    expect(rooms.toSorted()).toEqual([...order].sort());
  });

  test("agents are known by their contract: only the registry looks into their folders", () => {
    const deep = sources
      .filter((file) => file !== "src/agents/registry.ts")
      .filter((file) => !isOfAgent(file))
      .flatMap((file) =>
        importsOf(file)
          .filter((path) => path.startsWith("."))
          .map((path) => normalize(join(dirname(file), path)))
          .filter(isOfAgent)
          .map((target) => `${file} -> ${target}`),
      );
    expect(deep).toEqual([]);
  });

  test("an agent knows the lower rooms and no other agent", () => {
    const wrong = files("src/agents", /\.ts$/).flatMap((file) => {
      const agent = relative("src/agents", file).split("/")[0]!;
      if (agent.endsWith(".ts")) return [];
      const allowed = agent === "reprise" ? ownAgentRooms : agentRooms;
      return importsOf(file)
        .filter((path) => path.startsWith("."))
        .map((path) => normalize(join(dirname(file), path)))
        .filter((target) => {
          if (roomOf(target) !== "agents") return !allowed.has(roomOf(target));
          const other = relative("src/agents", target).split("/")[0]!;
          return other !== agent && !sharedByAgents.has(other);
        })
        .map((target) => `${file} -> ${target}`);
    });
    expect(wrong).toEqual([]);
  });

  test("an agent's hooks load little: no reader, no writer, no index, nothing of the registry", () => {
    const hooks = sources.filter((file) => /^src\/agents\/[^/]+\/hooks\.ts$/.test(file));
    const loaded = hooks.flatMap((file) => [...reachedFrom(file)]);
    const much = /^src\/agents\/(?:registry|[^/]+\/(?:index|read|write|head|locate|usage))\.ts$/;
    expect(hooks.length).toBeGreaterThan(3);
    expect(loaded.filter((file) => much.test(file))).toEqual([]);
  });

  test("the rules that find secrets are loaded by what masks: no event of an agent, no list, no import waits for them", () => {
    const starts = [
      "src/programs/hook/run.ts",
      "src/programs/cli/main.ts",
      "src/programs/cli/commands/list.ts",
      "src/index.ts",
      "src/agents.ts",
      "src/bridge.ts",
    ];
    const waiting = starts.filter((file) =>
      [...reachedFrom(file)].some((reached) => roomOf(reached) === "redact"),
    );
    expect(waiting).toEqual([]);
    expect([...reachedFrom("src/bridge/ledger/ledger.ts")].map(roomOf)).toContain("redact");
  });

  test("the library imports node's own modules and itself, nothing else", () => {
    const allowed = new Set(["fflate", "fzstd", "@photostructure/sqlite"]);
    const foreign = sources
      .filter((file) => roomOf(file) !== "programs")
      .flatMap((file) =>
        importsOf(file)
          .filter(
            (path) => !path.startsWith(".") && !path.startsWith("node:") && !allowed.has(path),
          )
          .map((path) => `${file} -> ${path}`),
      );
    expect(foreign).toEqual([]);
  });

  test("only the sqlite room names a SQLite engine", () => {
    const wrong = sources.filter(
      (file) =>
        roomOf(file) !== "sqlite" && /"(?:node:sqlite|@photostructure\/sqlite)"/.test(text(file)),
    );
    expect(wrong).toEqual([]);
  });

  test("files are short enough to be read at once", () => {
    const long = sources
      .map((file) => ({ file, lines: text(file).split("\n").length }))
      .filter(({ lines }) => lines > longestFile);
    expect(long).toEqual([]);
  });

  test("names are kebab-case, and no room is a drawer", () => {
    const drawers = /(^|\/)(utils?|helpers?|common|managers?|services?|misc)(\/|\.ts$|-)/;
    const wrong = sources.filter(
      (file) => !/^[a-z0-9-]+\.ts$/.test(file.split("/").at(-1)!) || drawers.test(file),
    );
    expect(wrong).toEqual([]);
  });

  test("every exported function, class and interface says what it promises", () => {
    const silent = sources.flatMap((file) => {
      const lines = text(file).split("\n");
      return lines.flatMap((line, index) => {
        if (!/^export (?:async )?(?:function|class|interface|abstract class)\b/.test(line))
          return [];
        const before = lines[index - 1] ?? "";
        const overload = /^export (?:async )?function/.test(before);
        return before.trim().endsWith("*/") || overload
          ? []
          : [`${file}:${index + 1} ${line.trim()}`];
      });
    });
    expect(silent).toEqual([]);
  });

  test("no test is skipped, focused or left for later", () => {
    const wrong = files("test", /\.(ts|mjs)$/)
      .filter((file) => file !== "test/tidy.test.ts")
      .filter((file) => /\b(?:describe|it|test)\.(?:only|skip|todo)\b|vi\.mock\(/.test(text(file)));
    expect(wrong).toEqual([]);
  });

  test("tests make temporary folders in one way, and terminals in one", () => {
    const ways = new Set(["test/temporary-folder.mjs", "test/pty.mjs", "test/tidy.test.ts"]);
    const wrong = files("test", /\.(ts|mjs)$/)
      .filter((file) => !file.startsWith("test/fixtures/") && !ways.has(file))
      .filter((file) => /mkdtemp|node-pty/.test(text(file)));
    expect(wrong).toEqual([]);
  });

  test("nothing is left to do in words, and types are not talked away", () => {
    const words = /\bas any\b|: any\b/;
    const remarks = /\b(?:TODO|FIXME|XXX)\b|@ts-(?:ignore|nocheck)/;
    const wrong = [...sources, ...files("test", /\.ts$/)]
      .filter((file) => file !== "test/tidy.test.ts")
      .filter((file) => words.test(code(file)) || remarks.test(text(file)));
    expect(wrong).toEqual([]);
  });

  test("folders are made in one way: Node's own never ends below a folder that takes no entries", () => {
    const found = sources.filter((file) => /mkdir\w*\([^;]*recursive: true/.test(text(file)));
    expect(found).toEqual([]);
  });

  test("limits live in one table", () => {
    const wrong = sources.filter(
      (file) =>
        !/^src\/base\/(?:\w+-)?limits\.ts$/.test(file) &&
        /\b\d+ \* 1024 \* 1024 \* 1024\b/.test(text(file)),
    );
    expect(wrong).toEqual([]);
  });

  test("every agent has a page, fixtures and the files of the house", () => {
    const agents = readdirSync(join(root, "src/agents"), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name);
    const missing = agents.flatMap((agent) =>
      [
        `docs/agents/${agent}.md`,
        `src/agents/${agent}/index.ts`,
        `src/agents/${agent}/locate.ts`,
        `src/agents/${agent}/head.ts`,
        `src/agents/${agent}/read.ts`,
        ...(agent === "reprise"
          ? []
          : [`src/agents/${agent}/roots.ts`, `test/fixtures/${agent}`, `test/agents/${agent}`]),
      ].filter((path) => !existsSync(join(root, path))),
    );
    expect(missing).toEqual([]);
  });

  test("agents' folders have the same inner folders", () => {
    const inner = new Set(["locate", "head", "read", "write", "hooks", "usage"]);
    const wrong = readdirSync(join(root, "src/agents"), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.parentPath !== join(root, "src/agents"))
      .filter((entry) => !inner.has(entry.name))
      .map((entry) => join(entry.parentPath, entry.name));
    expect(wrong).toEqual([]);
  });

  test("the docs that are made from the program are up to date", () => {
    const output = execFileSync(process.execPath, ["scripts/docs.mjs", "--check"], {
      cwd: root,
      encoding: "utf8",
    });
    expect(output).toBeDefined();
  });

  test("links in the docs lead to files that are there, and to headings that they have", () => {
    const folders = ["docs", "docs/agents", "docs/api", "docs/decisions", "."];
    const pages = folders.flatMap((folder) =>
      readdirSync(join(root, folder))
        .filter((name) => name.endsWith(".md"))
        .map((name) => join(folder, name)),
    );
    const wrong = pages.flatMap((page) =>
      [...text(page).matchAll(/\]\(([^)\s]+)\)/g)]
        .map(([, target]) => target!)
        .filter((target) => !/^[a-z]+:/.test(target))
        .filter((target) => !leads(page, target))
        .map((target) => `${page} -> ${target}`),
    );
    expect(pages.length).toBeGreaterThan(40);
    expect(wrong).toEqual([]);
  });

  test("every page of the docs is in their index", () => {
    const index = text("docs/README.md");
    const missing = readdirSync(join(root, "docs"))
      .filter((name) => name.endsWith(".md") && name !== "README.md")
      .filter((name) => !index.includes(`(${name})`));
    expect(missing).toEqual([]);
  });

  test("the workflows are YAML with jobs that have steps", () => {
    const folder = join(root, ".github", "workflows");
    for (const name of readdirSync(folder)) {
      const { jobs, on } = parseYaml(readFileSync(join(folder, name), "utf8")) as {
        readonly on?: object;
        readonly jobs: Readonly<Record<string, { readonly steps?: readonly object[] }>>;
      };
      expect(on).toBeDefined();
      for (const { steps } of Object.values(jobs)) expect(steps?.length).toBeGreaterThan(0);
    }
  });

  test("the lock file names every optional package of every platform, as `npm ci` demands", () => {
    const { packages } = JSON.parse(text("package-lock.json")) as {
      packages: Record<string, { optionalDependencies?: Record<string, string> }>;
    };
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies)
        .filter(
          (name) =>
            !(`node_modules/${name}` in packages) && !(`${path}/node_modules/${name}` in packages),
        )
        .map((name) => `${path} -> ${name}`),
    );
    expect(missing).toEqual([]);
  });

  test("the lock file proves every package by its sum, and names no address", () => {
    const { packages } = JSON.parse(text("package-lock.json")) as {
      packages: Record<string, { integrity?: string; resolved?: string }>;
    };
    const wrong = Object.entries(packages).filter(
      ([path, { integrity = "", resolved }]) =>
        path !== "" && (!/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity) || resolved !== undefined),
    );
    expect(wrong.map(([path]) => path)).toEqual([]);
  });

  test("fixtures hold what agents wrote, and nothing that was derived from them", () => {
    expect(files("test/fixtures", /\/\.reprise\//)).toEqual([]);
  });

  test("the repository names no registry host and no folder of a development machine", () => {
    const tracked = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" })
      .trim()
      .split("\n");
    const wrong = tracked
      .filter((file) => !file.startsWith("test/fixtures/") && file !== "test/tidy.test.ts")
      .filter((file) => existsSync(join(root, file)))
      .filter((file) => /(^|[^A-Za-z0-9.])\/(?:work|farm)\/|"resolved": "https?:/.test(text(file)));
    expect(wrong).toEqual([]);
  });
});

/** Whether a link of a page leads somewhere. */
function leads(page: string, target: string): boolean {
  const [path = "", heading] = target.split("#");
  const file = path === "" ? join(root, page) : join(root, page, "..", decodeURIComponent(path));
  if (!existsSync(file)) return false;
  if (heading === undefined || !file.endsWith(".md")) return true;
  const anchors = [...readFileSync(file, "utf8").matchAll(/^#{1,6} (.+)$/gm)].map(([, title]) =>
    title!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replace(/\s/g, "-"),
  );
  return anchors.includes(heading);
}
