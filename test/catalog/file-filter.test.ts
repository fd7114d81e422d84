import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openCatalog } from "../../src/catalog/index/open.ts";
import { includeSealed } from "../../src/catalog/index/sealed.ts";
import { userHome } from "../../src/store/home.ts";
import { SessionManager } from "../../src/store/session-manager.ts";
import { Conversation } from "./conversation.ts";
import { bothWays, emptyHome, find, places } from "./home.ts";

const at = ({ id }: Conversation, number: number | ""): string => `claude-code:${id}@${number}`;

test("a fork has the files its base worked on, though the index has the shared calls only once", async () => {
  const env = emptyHome();
  const base = new Conversation(env, 1)
    .user("start with kumquat")
    .call("t1", "Edit", { file_path: "/home/dev/app/src/zebra.ts" })
    .result("t1", "edited")
    .save();
  const fork = new Conversation(env, 2, base).user("pineapple please").save();
  const answers = await bothWays(env, [
    "pineapple file:zebra.ts",
    "pineapple -file:zebra.ts",
    "kumquat file:zebra.ts",
    "kumquat -file:zebra.ts",
    "pineapple file:zebra.ts -file:other.ts",
    "file:zebra.ts tool:edit is:error",
  ]);
  expect(answers).toEqual([[at(fork, 4)], [], [at(base, 1)], [], [at(fork, 4)], []]);
});

test("what a fork shares is found in the fork, where only the fork is as `file:` wants it", async () => {
  const env = emptyHome();
  const base = new Conversation(env, 1).user("start with kumquat").save();
  const fork = new Conversation(env, 2, base)
    .call("t1", "Edit", { file_path: "/home/dev/app/src/zebra.ts" })
    .result("t1", "edited")
    .save();
  const answers = await bothWays(env, [
    "kumquat",
    "kumquat file:zebra.ts",
    "kumquat -file:zebra.ts",
    "kumquat file:zebra.ts agent:codex",
  ]);
  expect(answers).toEqual([[at(base, 1)], [at(fork, 1)], [at(base, 1)], []]);
});

test("a title is found in a session that names the file, and only there", async () => {
  const env = emptyHome();
  const [named, other] = [1, 2].map((number) =>
    new Conversation(env, number)
      .user("start")
      .call(`t${number}`, "Edit", { file_path: number === 1 ? "zebra.ts" : "okapi.ts" })
      .title("About the quince")
      .save(),
  ) as [Conversation, Conversation];
  const answers = await bothWays(env, ["quince role:title file:zebra.ts", "quince -file:zebra.ts"]);
  expect(answers[0]).toEqual([at(named, "")]);
  expect(answers[1]).toContain(at(other, ""));
});

test("without copies no session is read for `file:`", async () => {
  const env = emptyHome();
  const base = new Conversation(env, 1)
    .user("start with kumquat")
    .call("t1", "Edit", { file_path: "zebra.ts" })
    .save();
  await find(env, "start");
  const alone = await find(env, "kumquat file:zebra.ts");
  expect(alone.freshness).toMatchObject({ indexed: 0, streamed: 0 });
  new Conversation(env, 2, base).user("more").save();
  await find(env, "start");
  const shared = await find(env, "kumquat file:zebra.ts");
  expect(shared.freshness).toMatchObject({ indexed: 0, streamed: 1 });
});

test("a sealed fork whose text the index has is found by its own files where no key is set", async () => {
  const env = emptyHome();
  const key = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
  // Readers take the key from the process.
  process.env["REPRISE_KEY"] = key;
  onTestFinished(() => void delete process.env["REPRISE_KEY"]);
  const withKey = { ...env, variables: { ...env.variables, REPRISE_KEY: key } };
  const base = SessionManager.create(env.cwd, undefined, { env: withKey, seal: true });
  base.appendSync({ type: "tool_use", call: "a", name: "Edit", input: { path: "zebra.ts" } });
  const fork = base.fork();
  fork.appendSync({ type: "tool_use", call: "b", name: "Edit", input: { path: "okapi.ts" } });
  fork.appendSync({ type: "user", content: "pineapple please" });
  await fork.close();
  await base.close();
  const catalog = openCatalog(userHome(env).derived);
  if ("why" in catalog) throw new Error(catalog.why);
  includeSealed(catalog.connection);
  catalog.close();
  for (const file of ["okapi.ts", "zebra.ts"]) {
    expect((await find(withKey, `pineapple file:${file}`)).sessions).toHaveLength(1);
  }
  delete process.env["REPRISE_KEY"];
  expect((await find(env, "pineapple file:okapi.ts")).sessions).toHaveLength(1);
});

test("a file alone finds the calls that name it, not what else its sessions say", async () => {
  const env = emptyHome();
  const session = new Conversation(env, 1)
    .user("start with kumquat")
    .call("t1", "Edit", { file_path: "/home/dev/app/src/zebra.ts" })
    .result("t1", "edited")
    .call("t2", "Read", { file_path: "/home/dev/app/src/other.ts" })
    .result("t2", "nothing")
    .save();
  const answers = await bothWays(env, [
    "file:zebra.ts",
    "file:src/zebra.ts tool:edit",
    "file:zebra.ts tool:read",
    "file:zebra.ts role:user",
  ]);
  expect(answers).toEqual([[at(session, 2)], [at(session, 2)], [], [at(session, 1)]]);
});

test("a file is the one a call works on, not one that its text mentions or whose path only holds the name", async () => {
  const env = emptyHome();
  const patch =
    "*** Begin Patch\n*** Update File: docs/GUIDE.md\n@@\n-old\n+see README.md\n*** End Patch";
  const session = new Conversation(env, 1)
    .user("start")
    .call("t1", "Edit", { file_path: "/p/README.md", old_string: "a", new_string: "b" })
    .call("t2", "Edit", { file_path: "/p/package.json", old_string: "x", new_string: "README.md" })
    .call("t3", "Read", { file_path: "/p/README.md.bak" })
    .call("t4", "Read", { file_path: "/p/docs/OLD-README.md" })
    .call("t5", "Bash", { command: "cat /p/README.md", description: "Show README.md" })
    .call("t6", "Bash", { command: `apply_patch <<'EOF'\n${patch}\nEOF` })
    .call("t7", "Grep", { pattern: "x", path: "/p/README.md" })
    .call("t8", "Read", { file_path: "README.md" })
    .save();
  const answers = await bothWays(env, [
    "file:README.md",
    "file:/p/README.md",
    "file:p/README.md",
    "file:GUIDE.md",
    `file:${env.cwd}/README.md`,
    "file:ME.md",
    "start file:package.json",
    "start file:missing.json",
  ]);
  expect(answers).toEqual([
    [at(session, 2), at(session, 8), at(session, 9)],
    [at(session, 2), at(session, 8)],
    [at(session, 2), at(session, 8)],
    [at(session, 7)],
    [at(session, 9)],
    [],
    [at(session, 1)],
    [],
  ]);
});

test("a relative path that is there from here means that file, and others of its name where nothing works on it", async () => {
  const env = emptyHome();
  for (const name of ["zebra.ts", "okapi.ts"]) writeFileSync(join(env.cwd, name), "");
  const session = new Conversation(env, 1)
    .user("start")
    .call("t1", "Edit", { file_path: join(env.cwd, "zebra.ts") })
    .call("t2", "Edit", { file_path: "/elsewhere/zebra.ts" })
    .call("t3", "Edit", { file_path: "/elsewhere/okapi.ts" })
    .save();
  const answers = await bothWays(env, [
    "file:zebra.ts",
    "file:./zebra.ts",
    "file:okapi.ts",
    "file:./okapi.ts",
    "start file:okapi.ts",
  ]);
  expect(answers).toEqual([
    [at(session, 2)],
    [at(session, 2)],
    [at(session, 4)],
    [],
    [at(session, 1)],
  ]);
});

test("calls on a file are found as text too, and are forgotten with their session", async () => {
  const env = emptyHome();
  const asText = {
    mode: "substring",
    filters: [{ key: "file", value: "zebra.ts", not: false }],
  } as const;
  const session = new Conversation(env, 1)
    .user("start with kumquat")
    .call("t1", "Edit", { file_path: "zebra.ts" })
    .save();
  expect(places(await find(env, { text: "kumquat", ...asText }))).toEqual([at(session, 1)]);
  expect(places(await find(env, "file:zebra.ts"))).toEqual([at(session, 2)]);
  new Conversation(env, 1).user("another text").save();
  expect(places(await find(env, "file:zebra.ts"))).toEqual([]);
});
