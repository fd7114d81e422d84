import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { AsyncSessionManager, type Store } from "../../src/index.ts";
import { storeCases } from "../../src/testing.ts";
import { startModel } from "../loop/model-server.mjs";
import { temporaryFolder } from "../temporary-folder.mjs";

/* The examples do what they say. */

const folder = resolve(import.meta.dirname, "..", "..", "examples");
const example = (name: string): string => join(folder, name);

function environment(home: string): NodeJS.ProcessEnv {
  return { PATH: process.env["PATH"], HOME: home };
}

test("the REPL counts what was said in the run before, also after a kill", async () => {
  const home = temporaryFolder();
  const options = { cwd: home, env: environment(home) };
  const first = spawn(process.execPath, [example("repl.mjs")], options);
  first.stdin.write("one\n");
  expect(String((await once(first.stdout, "data"))[0])).toContain("heard 1 prompts");
  first.kill("SIGKILL");
  await once(first, "close");
  const second = spawnSync(process.execPath, [example("repl.mjs")], {
    ...options,
    input: "two\nthree\n",
    encoding: "utf8",
  });
  expect(second.stdout).toBe("I have heard 2 prompts.\nI have heard 3 prompts.\n");
});

test("the tool loop runs its tool and prints the answer", async () => {
  const home = temporaryFolder();
  writeFileSync(join(home, "found.txt"), "");
  const model = await startModel((_request, count) =>
    count === 1 ? { calls: [{ name: "list_files", input: {} }] } : { text: "There is found.txt." },
  );
  const child = spawn(process.execPath, [example("tool-loop.mjs"), "What is here?"], {
    cwd: home,
    env: { ...environment(home), OPENAI_BASE_URL: `${model.url}/v1` },
  });
  let printed = "";
  child.stdout.on("data", (data) => {
    printed += String(data);
  });
  child.stderr.pipe(process.stderr);
  expect((await once(child, "close"))[0]).toBe(0);
  await model.stop();
  expect(printed).toBe("There is found.txt.\n");
  expect(JSON.stringify(model.requests[1]?.body)).toContain("found.txt");
});

async function startServer(home: string): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [example("server.mjs"), join(home, "sessions"), "0"], {
    cwd: home,
    env: environment(home),
    stdio: ["ignore", "pipe", "inherit"],
  });
  const port = String((await once(child.stdout!, "data"))[0]).trim();
  return { child, url: `http://127.0.0.1:${port}` };
}

test("the server keeps a hundred sessions apart, and a killed one goes on with them", async () => {
  const home = temporaryFolder();
  const users = Array.from({ length: 100 }, (_, index) => `User/${index} Ä`);
  const first = await startServer(home);
  await Promise.all(
    users.map(async (user) => {
      const place = `${first.url}/${encodeURIComponent(user)}`;
      const answer = await fetch(place, { method: "POST", body: `I am ${user}` });
      expect(await answer.json()).toEqual({ answer: "Message 1 of yours and mine." });
    }),
  );
  first.child.kill("SIGKILL");
  await once(first.child, "close");
  const second = await startServer(home);
  for (const user of users) {
    const answer = await fetch(`${second.url}/${encodeURIComponent(user)}`);
    expect(await answer.json()).toEqual([
      { role: "user", text: `I am ${user}` },
      { role: "assistant", text: "Message 1 of yours and mine." },
    ]);
  }
  second.child.kill("SIGTERM");
  expect((await once(second.child, "close"))[0]).toBe(0);
}, 120_000);

describe("the store of the example", async () => {
  const { KeyValueStore } = (await import(pathToFileURL(example("custom-store.mjs")).href)) as {
    readonly KeyValueStore: new (values: unknown) => Store;
  };
  for (const { name, run } of storeCases) {
    test(name, async () => {
      const store = new KeyValueStore(new Map());
      await run(store);
      await store.close();
    });
  }

  test("carries everything a session does", async () => {
    const store = new KeyValueStore(new Map());
    const session = await AsyncSessionManager.create("/", { store, key: "Thread 1" });
    await session.appendUser("hello");
    const fork = await session.fork();
    await fork.appendAssistant("apart", { endTurn: true });
    expect((await session.buildSessionContext()).messages).toHaveLength(1);
    expect((await fork.buildSessionContext()).messages).toHaveLength(2);
  });
});

test("what a program of pi does, it does with the same steps", () => {
  const home = temporaryFolder();
  const { stdout, status } = spawnSync(process.execPath, [example("from-pi.mjs"), home], {
    cwd: home,
    env: environment(home),
    encoding: "utf8",
  });
  expect(status).toBe(0);
  expect(stdout.split("\n")).toEqual([
    "session_start user rewind assistant",
    "2 branches",
    "List the files.",
    "2 messages",
    "3 events in the fork",
    "",
  ]);
});
