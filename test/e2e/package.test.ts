import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
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

test("the installed library and its conformance suites can be imported", () => {
  const script = join(folder, "use.mjs");
  const library = join(prefix, "lib", "node_modules", "reprise");
  writeFileSync(
    script,
    `import { SessionManager } from ${JSON.stringify(join(library, "dist", "index.js"))};
     import { storeCases } from ${JSON.stringify(join(library, "dist", "testing.js"))};
     const session = SessionManager.inMemory();
     await session.appendUser("hello");
     process.stdout.write(session.buildSessionContext().messages.length + " " + (storeCases.length > 10));`,
  );
  expect(execFileSync(process.execPath, [script], { encoding: "utf8" })).toBe("1 true");
});

test("the package holds no source, no test and no fixture", () => {
  const listing = readdirSync(join(prefix, "lib", "node_modules", "reprise"), {
    recursive: true,
    encoding: "utf8",
  });
  expect(listing.filter((name) => /^(src|test|bench)\b|\.test\./.test(name))).toEqual([]);
  expect(listing).toContain(join("dist", "index.d.ts"));
});
