import { execFileSync, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { beforeAll, expect, test } from "vitest";
import { noticesOf, packagesOf } from "../../scripts/notices.mjs";
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

test("the package has the licence of everything that is bundled in it", () => {
  const installed = join(prefix, "lib", "node_modules", "reprise");
  const notices = readFileSync(join(installed, "dist", "THIRD-PARTY-NOTICES.txt"), "utf8");
  const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" });
  const imported = sources
    .filter((name) => name.endsWith(".ts"))
    .flatMap((name) => [
      ...readFileSync(join(root, "src", name), "utf8").matchAll(/\bfrom "([^".][^"]*)"/g),
    ])
    .map(([, name = ""]) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? "")
    .filter((name) => !name.startsWith("node:") && name !== "@photostructure");
  expect(new Set(imported).size).toBeGreaterThan(1);
  for (const name of new Set(imported)) {
    const { version } = JSON.parse(
      readFileSync(join(root, "node_modules", name, "package.json"), "utf8"),
    ) as { version: string };
    const licence = readFileSync(join(root, "node_modules", name, "LICENSE"), "utf8");
    expect(notices).toContain(`\n${name} ${version} (`);
    expect(notices).toContain(licence.trim());
  }
});

test("a package without a licence is not bundled: the build fails", () => {
  const place = temporaryFolder();
  const other = join(place, "node_modules", "@some", "package");
  mkdirSync(other, { recursive: true });
  const about = { name: "@some/package", version: "1.2.3", license: "MIT" };
  writeFileSync(join(other, "package.json"), JSON.stringify(about));
  const folders = packagesOf(["src/index.ts", "node_modules/@some/package/lib/index.js"]);
  expect(folders).toEqual(["node_modules/@some/package"]);
  expect(() => noticesOf(folders, place)).toThrow("@some/package 1.2.3");
  writeFileSync(join(other, "LICENSE.md"), "Do what you like.");
  expect(noticesOf(folders, place)).toContain("@some/package 1.2.3 (MIT)\n\nDo what you like.");
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
  import { agentNames } from "reprise/agents";
  import { bridge } from "reprise/bridge";
  import { plan } from "reprise/convert";
  import { search } from "reprise/search";
  import { reportUsage } from "reprise/usage";
  import { toAnthropic } from "reprise/providers";
  import { maskText } from "reprise/redact";
  import { storeCases } from "reprise/testing";
  const session = SessionManager.inMemory();
  await session.appendUser("hello");
  const secret = "sk-ant-api03-" + "aB3dE6gH9j".repeat(4);
  const told = [
    session.constructor.name,
    toAnthropic(session.buildSessionContext(), { model: "m" }).messages.length,
    agentNames().includes("codex"),
    typeof bridge.process,
    maskText("key " + secret).text.includes(secret),
    storeCases.length > 10,
    [plan, search, reportUsage].every((call) => typeof call === "function"),
  ];
  process.stdout.write(told.join(" "));`;

test("the installed library and its other entries can be imported", () => {
  expect(run(everyEntry)).toBe("SessionManager 1 true function false true true");
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
    expect(run(await bundled(everyEntry, conditions))).toBe(
      "SessionManager 1 true function false true true",
    );
});

/** Calls what few programs need: seals, large content, compaction, lists, errors. */
const rareCalls = `
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

test("what few programs need works too, also in a bundle", async () => {
  const told = "true 1 1 true true";
  expect(run(rareCalls)).toBe(told);
  expect(run(await bundled(rareCalls))).toBe(told);
});

test("types of every entry are found", () => {
  writeFileSync(
    join(folder, "use.mts"),
    `import { SessionManager } from "reprise";
    import { bridge, type Processed } from "reprise/bridge";
    import { toAnthropic } from "reprise/providers";
  import { maskText } from "reprise/redact";
    import { storeCases } from "reprise/testing";
    const session: SessionManager = SessionManager.inMemory();
    const count: number = session.buildSessionContext().messages.length + storeCases.length;
    const text: string = maskText("x").text;
    export type Told = [typeof count, typeof text, Processed, typeof bridge];
    // @ts-expect-error What is not there has no type.
    session.nothing();`,
  );
  const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
  const options = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2023"];
  const typeRoots = ["--types", "node", "--typeRoots", join(root, "node_modules", "@types")];
  run("");
  const args = [tsc, ...options, ...typeRoots, join(folder, "use.mts")];
  const { status, stdout } = spawnSync(process.execPath, args, {
    cwd: folder,
    encoding: "utf8",
  });
  expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
});

/** Every file of the package that its exports and programs lead to. */
function reached(installed: string): ReadonlySet<string> {
  const { bin, exports } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8")) as {
    readonly bin: Readonly<Record<string, string>>;
    readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  };
  const seen = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const [, path] of readFileSync(file, "utf8").matchAll(/"(\.\.?\/[^"]+\.(?:c?js|ts))"/g)) {
      const target = join(dirname(file), path!);
      // Types name what would run, of which they are what the package has.
      const types = target.replace(/\.js$/, ".d.ts");
      if (file.endsWith(".d.ts") && existsSync(types)) visit(types);
      else if (existsSync(target)) visit(target);
    }
  };
  const entries = Object.values(exports).flatMap((entry) =>
    typeof entry === "string" ? entry : Object.values(entry),
  );
  // Threads are started by their names.
  const threads = [join("dist", "bin", "program"), join("dist", "shared")].flatMap((folder) =>
    readdirSync(join(installed, folder))
      .filter((name) => name.endsWith("-thread.js"))
      .map((name) => join(folder, name)),
  );
  for (const file of [...Object.values(bin), ...entries, ...threads]) visit(join(installed, file));
  return seen;
}

test("the package holds what its exports and programs lead to, and nothing else", () => {
  const installed = join(prefix, "lib", "node_modules", "reprise");
  const known = reached(installed);
  const files = readdirSync(installed, { recursive: true, encoding: "utf8" })
    .map((name) => join(installed, name))
    .filter((file) => statSync(file).isFile());
  const others = files
    .filter((file) => !known.has(file))
    .map((file) => relative(installed, file).split(sep).join("/"))
    .filter((name) => !name.startsWith("node_modules/"));
  // The second package.json tells Node that the programs are CommonJS.
  const wanted =
    /^(README|CHANGELOG)\.md$|^LICENSE$|^docs\/|^dist\/THIRD-PARTY-NOTICES\.txt$|^dist\/bin\/package\.json$/;
  expect(others.filter((name) => !wanted.test(name))).toEqual([]);
  const [tarball] = readdirSync(folder).filter((name) => name.endsWith(".tgz"));
  expect(statSync(join(folder, tarball!)).size).toBeLessThan(2.5 * 1024 * 1024);
});
