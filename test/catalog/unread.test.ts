import {
  appendFileSync,
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Environment } from "../../src/base/env.ts";
import { freshen } from "../../src/catalog/index/freshen.ts";
import { openCatalog } from "../../src/catalog/index/open.ts";
import { includeSealed } from "../../src/catalog/index/sealed.ts";
import { userHome } from "../../src/store/home.ts";
import { SessionManager } from "../../src/store/session-manager.ts";
import { claudeLine, claudeSession, id } from "./claude.ts";
import { emptyHome, find, options, places } from "./home.ts";

/** Brings the index up to date, and tells how many sessions were read for it. */
async function readNow(env: Environment, prepare?: typeof includeSealed): Promise<number> {
  const catalog = openCatalog(userHome(env).derived);
  if ("why" in catalog) throw new Error(catalog.why);
  prepare?.(catalog.connection);
  const { read } = await freshen(catalog, options(env));
  catalog.close();
  return read;
}

test("a sealed session that grew is found again with its key, though it was looked for without", async () => {
  const env = emptyHome();
  const key = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
  const withKey = { ...env, variables: { ...env.variables, REPRISE_KEY: key } };
  // Who reads a native session asks the process itself for the key.
  const giveKey = (): void => void Object.assign(process.env, { REPRISE_KEY: key });
  const takeKey = (): void => void Reflect.deleteProperty(process.env, "REPRISE_KEY");
  onTestFinished(takeKey);
  giveKey();
  const session = SessionManager.create(env.cwd, undefined, { env: withKey, seal: true });
  session.appendSync({ type: "user", content: "the secret capybara" });
  await readNow(withKey, includeSealed);
  expect(places(await find(withKey, "capybara"))).toHaveLength(1);
  session.appendSync({ type: "user", content: "another capybara" });
  await session.close();
  takeKey();
  expect(places(await find(env, "capybara"))).toEqual([]);
  giveKey();
  expect(places(await find(withKey, "capybara"))).toHaveLength(2);
  expect(await readNow(withKey, includeSealed)).toBe(1);
  expect(await readNow(withKey)).toBe(0);
  expect(places(await find(withKey, "capybara"))).toHaveLength(2);
});

/** Goes on as somebody whom the mode of a file keeps out; for root no mode does. */
function asNobody(env: Environment): void {
  if (process.getuid!() !== 0) return;
  const nobody = 65_534;
  for (const name of ["", ...readdirSync(env.home, { recursive: true, encoding: "utf8" })]) {
    chownSync(join(env.home, name), nobody, nobody);
  }
  process.seteuid!(nobody);
  onTestFinished(() => process.seteuid!(0));
}

/** A session of pi with one prompt; returns its file. */
function piSession(env: Environment, text: string): string {
  const file = join(
    env.home,
    ".pi/agent/sessions/--work--/2026-11-15T18-19-48-767Z_01a1c0de.jsonl",
  );
  mkdirSync(dirname(file), { recursive: true });
  const at = "2026-11-15T18:19:48.767Z";
  const place = { id: "00000001", parentId: null, timestamp: at };
  const message = { role: "user", content: [{ type: "text", text }], timestamp: Date.parse(at) };
  const lines = [
    { type: "session", version: 3, id: "01a1c0de", timestamp: at, cwd: env.cwd },
    { type: "message", ...place, message },
  ];
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return file;
}

test("what could not be opened is found as soon as it can, though its file did not change", async () => {
  const env = emptyHome();
  const files = [claudeSession(env, 1, ["a gooseberry"]), piSession(env, "a gooseberry too")];
  asNobody(env);
  for (const file of files) chmodSync(file, 0);
  expect(places(await find(env, "gooseberry"))).toEqual([]);
  expect(await readNow(env)).toBe(0);
  for (const file of files) chmodSync(file, 0o600);
  expect(places(await find(env, "gooseberry"))).toHaveLength(2);
  expect(await readNow(env)).toBe(0);
});

test("what the index has of a session stays while its file cannot be opened", async () => {
  const env = emptyHome();
  const file = claudeSession(env, 1, ["a gooseberry"]);
  await find(env, "gooseberry");
  appendFileSync(file, `${claudeLine(env, 1, 1, "and a second gooseberry")}\n`);
  asNobody(env);
  chmodSync(file, 0);
  for (const _ of ["the first search", "the next"]) {
    expect(places(await find(env, "gooseberry"))).toEqual([`claude-code:${id(1)}@1`]);
  }
  chmodSync(file, 0o600);
  expect(places(await find(env, "gooseberry"))).toHaveLength(2);
  rmSync(file);
  expect((await find(env, "gooseberry")).sessions.map(({ gone }) => gone)).toEqual([true]);
});

test("a session whose content cannot be read is not tried again while it stays as it is", async () => {
  const env = emptyHome();
  const session = SessionManager.create(env.cwd, undefined, { env });
  session.appendSync({ type: "user", content: "the cassowary runs" });
  const file = session.getSessionFile()!;
  await session.close();
  expect(await readNow(env)).toBe(1);
  writeFileSync(file, "this is no session\n");
  expect(await readNow(env)).toBe(1);
  expect(await readNow(env)).toBe(0);
  expect(places(await find(env, "cassowary"))).toEqual([]);
});
