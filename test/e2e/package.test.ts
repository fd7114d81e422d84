import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { beforeAll, expect, test } from "vitest";
import { temporaryFolder } from "../temporary-folder.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = temporaryFolder();
const prefix = join(folder, "prefix");
const home = join(folder, "home");

beforeAll(() => {
  mkdirSync(home);
  // The suite runs after a build: what is packed is what was built.
  npm(["pack", "--ignore-scripts", "--pack-destination", folder], root);
  const tarball = readdirSync(folder).find((name) => name.endsWith(".tgz"))!;
  npm(["install", "--global", "--prefix", prefix, join(folder, tarball)], folder);
}, 180_000);

function npm(args: readonly string[], cwd: string): string {
  return execFileSync("npm", args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
}

function reprise(...args: readonly string[]): string {
  const env = { PATH: process.env["PATH"], HOME: home };
  return execFileSync(join(prefix, "bin", "reprise"), args, {
    cwd: home,
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
}

test("the installed program lists, makes and shows sessions", () => {
  expect(reprise("--version")).toMatch(/^\d+\.\d+\.\d+/);
  expect(reprise("--sample", "list")).toContain("claude-code");
  const session = reprise("new", "--title", "From the package").trim();
  expect(reprise("list")).toContain("From the package");
  expect(reprise("show", session, "--json")).toContain(session);
});

/** Runs a program that has the installed package as its dependency. */
function run(program: string, ...flags: readonly string[]): string {
  const modules = join(folder, "node_modules");
  if (!existsSync(modules)) symlinkSync(join(prefix, "lib", "node_modules"), modules);
  writeFileSync(join(folder, "use.mjs"), program);
  const dir = temporaryFolder();
  const args = [...flags, join(folder, "use.mjs"), dir];
  return execFileSync(process.execPath, args, { encoding: "utf8" });
}

const everyEntry = `
  import { SessionManager } from "reprise";
  import { bridge } from "reprise/bridge";
  import { maskText } from "reprise/redact";
  import { storeCases } from "reprise/testing";
  const session = SessionManager.inMemory();
  await session.appendUser("hello");
  const secret = "sk-ant-api03-" + "aB3dE6gH9j".repeat(4);
  const told = [
    session.constructor.name,
    session.buildSessionContext().messages.length,
    typeof bridge.process,
    maskText("key " + secret).text.includes(secret),
    storeCases.length > 10,
  ];
  process.stdout.write(told.join(" "));`;

test("the installed library and its other entries can be imported", () => {
  expect(run(everyEntry)).toBe("SessionManager 1 function false true");
});

async function bundled(program: string, conditions?: string[]): Promise<string> {
  const format = { bundle: true, format: "esm", platform: "node", write: false } as const;
  const options = { ...format, ...(conditions !== undefined && { conditions }) };
  const stdin = { contents: program, resolveDir: join(prefix, "lib", "node_modules", "reprise") };
  const { outputFiles } = await build({ ...options, stdin, external: ["@photostructure/sqlite"] });
  return outputFiles[0]!.text;
}

test("a program that bundles the library works as well", async () => {
  for (const conditions of [undefined, ["production"]])
    expect(run(await bundled(everyEntry, conditions))).toBe("SessionManager 1 function false true");
});

/** Calls something of every part of the library that is read when it is needed. */
const everyPart = `
  import { handover, isRepriseError, RepriseError, SessionManager, summarise } from "reprise";
  const dir = process.argv[2];
  const key = new Uint8Array(32);
  const session = SessionManager.create(dir, dir, { sync: "none", seal: true, secret: { key } });
  const large = "a long line of output\\n".repeat(9000);
  await session.appendUser("Please look at src/server.js");
  await session.appendAssistant(large);
  await session.appendUser("And again");
  await session.compact({ keepTokens: 10 });
  const path = session.path();
  const file = session.getSessionFile();
  await session.close();
  let refused;
  try { SessionManager.open(file, { secret: { key: key.with(0, 1) } }); } catch (error) { refused = error; }
  const again = SessionManager.continueRecent(dir, dir, { secret: { key } });
  const told = [
    again.path()[2].content === large,
    again.branches().length,
    (await SessionManager.list(dir, dir)).length,
    summarise(path).length > 10 && handover(path).length > 10,
    refused instanceof RepriseError && isRepriseError(refused, "wrong_key"),
  ];
  await again.close();
  process.stdout.write(told.join(" "));`;

test("what the library reads when it is needed is the same library, also in a bundle", async () => {
  const told = "true 1 1 true true";
  expect(run(everyPart)).toBe(told);
  expect(run(await bundled(everyPart))).toBe(told);
});

test("a program reads of the library what it uses, when it first does", () => {
  const program = `import fs from "node:fs";
    import { syncBuiltinESMExports } from "node:module";
    import { basename } from "node:path";
    const read = [];
    const { readFileSync } = fs;
    fs.readFileSync = (path, ...options) => {
      const part = /^index-([a-z]+)-\\w{8}(?:\\.js|-v.*\\.pack)$/.exec(basename(String(path)))?.[1];
      if (part !== undefined) read.push(part);
      return readFileSync(path, ...options);
    };
    syncBuiltinESMExports();
    const { SessionManager } = await import("reprise");
    const told = [];
    const tell = () => told.push(read.splice(0).join(" ") || "nothing");
    tell();
    const session = SessionManager.inMemory();
    await session.appendUser("hello");
    tell();
    session.buildSessionContext();
    tell();
    session.branches();
    tell();
    process.stdout.write(told.join(", "));`;
  expect(run(program)).toBe("nothing, sessions, context, rare");
});

test("compiled code of the library that is damaged, cut short or gone is done without", () => {
  const entry = join(prefix, "lib", "node_modules", "reprise", "dist", "entry");
  const packs = readdirSync(entry).filter((name) => name.endsWith(".pack"));
  expect(packs).toHaveLength(4);
  const whole = new Map(packs.map((name) => [name, readFileSync(join(entry, name))]));
  const changes: readonly ((pack: Buffer) => Buffer)[] = [
    (pack) => Buffer.concat([pack.subarray(0, -9), Buffer.from("?"), pack.subarray(-8)]),
    (pack) => pack.subarray(0, pack.length / 3),
    () => Buffer.alloc(0),
  ];
  for (const change of changes) {
    for (const [name, pack] of whole) writeFileSync(join(entry, name), change(pack));
    expect(run(everyPart)).toBe("true 1 1 true true");
  }
  for (const name of packs) rmSync(join(entry, name));
  expect(run(everyPart)).toBe("true 1 1 true true");
  for (const [name, pack] of whole) writeFileSync(join(entry, name), pack);
});

test("a stack leads to the sources", () => {
  const program = `import { SessionManager } from "reprise";
    try { SessionManager.open("/nowhere"); } catch (error) { process.stdout.write(error.stack); }`;
  expect(run(program, "--enable-source-maps")).toContain("src/store/session-manager.ts");
});

test("the package holds no source, no test and no fixture", () => {
  const listing = readdirSync(join(prefix, "lib", "node_modules", "reprise"), {
    recursive: true,
    encoding: "utf8",
  });
  expect(listing.filter((name) => /^(src|test|bench)\b|\.test\./.test(name))).toEqual([]);
  expect(listing).toContain(join("dist", "index.d.ts"));
});
