import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "reprise-package-"));
const prefix = join(folder, "prefix");
const home = join(folder, "home");

beforeAll(() => {
  mkdirSync(home);
  // The suite runs after a build: what is packed is what was built.
  npm(["pack", "--ignore-scripts", "--pack-destination", folder], root);
  const tarball = readdirSync(folder).find((name) => name.endsWith(".tgz"))!;
  npm(["install", "--global", "--prefix", prefix, join(folder, tarball)], folder);
}, 180_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

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
  return execFileSync(process.execPath, [...flags, join(folder, "use.mjs")], { encoding: "utf8" });
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

test("a program that bundles the library works as well", async () => {
  const options = { bundle: true, format: "esm", platform: "node", write: false } as const;
  const stdin = {
    contents: everyEntry,
    resolveDir: join(prefix, "lib", "node_modules", "reprise"),
  };
  const { outputFiles } = await build({ ...options, stdin, external: ["@photostructure/sqlite"] });
  expect(run(outputFiles[0]!.text)).toBe("SessionManager 1 function false true");
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
