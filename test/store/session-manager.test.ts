import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { processEnvironment } from "../../src/base/env.ts";
import type { EventBody, SessionEvent } from "../../src/model/event.ts";
import { SessionManager } from "../../src/store/session-manager.ts";
import type { CreateOptions } from "../../src/store/session-options.ts";
import { temporaryFolder } from "../temporary-folder.mjs";

let folder: string;
let home: string;
let options: CreateOptions;

beforeEach(() => {
  folder = temporaryFolder();
  home = join(folder, "home");
  options = { env: { ...processEnvironment(), variables: { REPRISE_HOME: home, USER: "ada" } } };
});

function project(name: string): string {
  const path = join(folder, name);
  mkdirSync(path, { recursive: true });
  return path;
}

function texts(session: SessionManager): string[] {
  return session
    .buildSessionContext()
    .messages.flatMap(({ content }) =>
      content.flatMap((block) => (block.type === "text" ? [block.text] : [])),
    );
}

async function talk(session: SessionManager, turns: number): Promise<SessionEvent[]> {
  const events: SessionEvent[] = [];
  for (let turn = 1; turn <= turns; turn += 1) {
    events.push(await session.appendUser(`question ${turn}`));
    events.push(await session.appendAssistant(`answer ${turn}`));
  }
  return events;
}

describe("making and finding sessions", () => {
  test("a session made for a folder lies under its project and is continued from there", async () => {
    const cwd = project("acme-api");
    const session = SessionManager.create(cwd, undefined, options);
    await session.appendUser("hello");
    await session.close();
    expect(session.getSessionFile()).toMatch(
      /home\/sessions\/acme-api-[0-9a-f]{8}\/[0-9a-f-]{36}\.jsonl$/,
    );
    const again = SessionManager.continueRecent(cwd, undefined, options);
    expect(again.isNew).toBe(false);
    expect(again.getSessionId()).toBe(session.getSessionId());
    expect(texts(again)).toEqual(["hello"]);
    await again.close();
  });

  test("continuing where there is nothing makes a new session and says so", async () => {
    const session = SessionManager.continueRecent(project("empty"), undefined, options);
    expect(session.isNew).toBe(true);
    await session.close();
  });

  test("with a folder of the caller's, files lie in it and the rest in .reprise", async () => {
    const dir = join(folder, "mine");
    const session = SessionManager.create(project("p"), dir, { ...options, id: "chat" });
    await session.appendUser("x".repeat(100_000));
    await session.close();
    expect(readdirSync(dir).sort()).toEqual([".reprise", "chat.jsonl"]);
    expect(readdirSync(join(dir, ".reprise")).sort()).toEqual(["blobs", "leases", "writers"]);
    expect((await SessionManager.list(folder, dir, options)).map((head) => head.session)).toEqual([
      "chat",
    ]);
  });

  test("files are for their owner only", async () => {
    const session = SessionManager.create(project("p"), undefined, options);
    await session.appendUser("secret");
    await session.close();
    expect(statSync(session.getSessionFile()!).mode & 0o777).toBe(0o600);
    expect(statSync(join(home, "sessions")).mode & 0o777).toBe(0o700);
  });

  test("sessions of a project are found after the folder was moved", async () => {
    const old = project("before");
    const git = (...args: string[]): void => {
      execFileSync("git", ["-C", old, "-c", "user.name=a", "-c", "user.email=a@b", ...args], {
        stdio: "ignore",
      });
    };
    git("init");
    git("commit", "--allow-empty", "-m", "first");
    const session = SessionManager.create(old, undefined, options);
    await session.appendUser("remember me");
    await session.close();
    const moved = join(folder, "after");
    renameSync(old, moved);
    expect(
      (await SessionManager.list(moved, undefined, options)).map((head) => head.session),
    ).toEqual([session.getSessionId()]);
    const second = SessionManager.create(moved, undefined, options);
    await second.close();
    expect(readdirSync(join(home, "sessions"))).toHaveLength(1);
  });

  test("two clones of one remote share their sessions", async () => {
    const clones = ["one", "two"].map((name) => {
      const path = project(name);
      execFileSync("git", ["-C", path, "init"], { stdio: "ignore" });
      const url = name === "one" ? "git@example.com:acme/api.git" : "https://example.com/acme/api";
      execFileSync("git", ["-C", path, "remote", "add", "origin", url], { stdio: "ignore" });
      return path;
    });
    const session = SessionManager.create(clones[0]!, undefined, options);
    await session.close();
    const found = await SessionManager.list(clones[1]!, undefined, options);
    expect(found.map((head) => head.session)).toEqual([session.getSessionId()]);
  });

  test("the first event tells where, when, by whom and with what the session was begun", () => {
    const cwd = project("p");
    const session = SessionManager.create(cwd, undefined, {
      ...options,
      title: "T",
      tags: ["x"],
      model: "m",
    });
    expect(session.getHeader()).toMatchObject({
      id: 1,
      type: "session_start",
      format: 1,
      cwd,
      createdBy: "ada",
      title: "T",
      tags: ["x"],
      model: "m",
      project: { name: "p" },
    });
  });

  test("a session in memory writes nothing", async () => {
    const session = SessionManager.inMemory(project("p"), options);
    await talk(session, 1);
    expect(session.getSessionFile()).toBeUndefined();
    expect(texts(session)).toEqual(["question 1", "answer 1"]);
    expect(readdirSync(folder)).toEqual(["p"]);
  });
});

describe("what is appended", () => {
  const every: readonly EventBody[] = [
    { type: "system", content: "be kind" },
    {
      type: "user",
      content: [
        { type: "text", text: "look" },
        { type: "image", mediaType: "image/png", source: { kind: "base64", data: "AA==" } },
      ],
    },
    { type: "thinking", content: "hm", signature: "sig", message: "m1" },
    {
      type: "assistant",
      content: "I see",
      message: "m1",
      usage: { input: 3, output: 2 },
      endTurn: false,
    },
    { type: "tool_use", call: "c1", name: "Bash", input: { command: "ls" }, message: "m1" },
    { type: "tool_result", call: "c1", content: "a.txt", isError: false, details: { exitCode: 0 } },
    { type: "plan", content: "1. do it", status: "accepted" },
    { type: "approval", call: "c1", decision: "allow", scope: "once" },
    { type: "hook", event: "SessionStart", content: "context" },
    { type: "agent", name: "reviewer", status: "idle", capabilities: ["read"], from: "a", to: "b" },
    { type: "task", task: "t1", title: "write", status: "doing", progress: 0.5, dependsOn: ["t0"] },
    { type: "subagent", session: "child", name: "explorer", call: "c1" },
    { type: "process", process: "p1", command: "npm run dev", status: "running" },
    { type: "file", path: "src/a.ts", action: "modified" },
    { type: "note", content: "for people" },
    { type: "checkpoint", label: "before", snapshot: "abc" },
    { type: "restore", checkpoint: 17 },
    { type: "custom", name: "theirs", data: { any: ["thing"] } },
  ];

  test("every type of event comes back as it was", async () => {
    const session = SessionManager.create(project("p"), undefined, options);
    await session.appendAll(every);
    const bodies: EventBody[] = [];
    for await (const { id, parent, at, sum, ...body } of session.events({ from: 2 }))
      bodies.push(body as EventBody);
    expect(bodies).toEqual(every);
    await session.close();
  });

  test("subscribers hear of an event after it was acknowledged, until they leave", async () => {
    const session = SessionManager.create(project("p"), undefined, options);
    const heard: number[] = [];
    const leave = session.subscribe(({ id }) => heard.push(id));
    await session.appendUser("one");
    session.appendSync({ type: "note", content: "two" });
    leave();
    await session.appendUser("three");
    expect(heard).toEqual([2, 3]);
    await session.close();
  });

  test("a blocking append comes after what was queued before it", async () => {
    const session = SessionManager.create(project("p"), undefined, options);
    await session.close();
    const again = SessionManager.open(session.getSessionFile()!, options);
    const first = again.appendUser("queued");
    const blob = again.note("b".repeat(100_000));
    const last = again.appendSync({ type: "note", content: "blocking" });
    expect([(await first).id, (await blob).id, last.id]).toEqual([2, 3, 4]);
    await again.close();
  });

  test("titles, tags, pins and labels are the session's, whatever the path; the last word counts", async () => {
    const session = SessionManager.create(project("p"), undefined, options);
    const [question] = await talk(session, 1);
    await session.setTitle("first");
    await session.tag("a", "b");
    await session.label(question!.id, "start");
    await session.rewind(1);
    await session.setTitle("second");
    await session.untag("a");
    await session.pin();
    await session.close();
    const [head] = await SessionManager.listAll(options);
    expect(head).toMatchObject({ title: "second", tags: ["b"], pinned: true });
    const again = SessionManager.open(session.getSessionId(), options);
    expect(again.tree()[0]!.children[0]).toMatchObject({ id: question!.id, label: "start" });
    await again.close();
  });

  test("the title stays within the last 64 KiB and is found from the end at any size", async () => {
    const session = SessionManager.create(project("p"), undefined, { ...options, sync: "none" });
    await session.setTitle("stays");
    for (let index = 0; index < 300; index += 1) await session.note("n".repeat(1000));
    await session.close();
    const tail = readFileSync(session.getSessionFile()!).subarray(-66_000).toString();
    expect(tail).toContain('"title":"stays"');
    expect((await SessionManager.listAll(options))[0]!.title).toBe("stays");
  });
});

describe("the context", () => {
  test("holds what was said, calls paired with results, and nothing that is not for a model", async () => {
    const session = SessionManager.create(project("p"), undefined, options);
    await session.appendUser("run it");
    await session.appendToolUse("c1", "Bash", { command: "ls" });
    await session.note("for people only");
    await session.append({ type: "approval", decision: "allow" });
    const context = session.buildSessionContext();
    expect(JSON.stringify(context.messages)).not.toContain("for people only");
    expect(context.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
    expect(context.remarks).toMatchObject([{ what: "missing_result" }]);
    await session.close();
  });

  test("begins with the newest compaction on the path", async () => {
    const session = SessionManager.create(project("p"), undefined, options);
    await session.appendSystem("be kind");
    await talk(session, 3);
    const kept = await session.appendUser("kept");
    await session.appendCompaction("they talked", { keepFrom: kept.id });
    await session.appendUser("next");
    expect(texts(session).map((text) => text.split("\n").at(-1))).toEqual([
      "be kind",
      "they talked",
      "kept",
      "next",
    ]);
    await session.rewind(kept.id);
    expect(texts(session)).toContain("question 1");
    await session.close();
  });

  test("a rewind goes back, survives a restart, and is undone by a rewind to where it came from", async () => {
    const session = SessionManager.create(project("p"), undefined, options);
    const events = await talk(session, 2);
    const rewind = await session.rewind(events[1]!.id);
    await session.close();
    const again = SessionManager.open(session.getSessionFile()!, options);
    expect(texts(again)).toEqual(["question 1", "answer 1"]);
    await again.rewind((rewind as SessionEvent & { from: number }).from);
    expect(texts(again)).toEqual(["question 1", "answer 1", "question 2", "answer 2"]);
    await again.close();
  });

  test("branches name every end of the tree, the current one first", async () => {
    const session = SessionManager.create(project("p"), undefined, options);
    const events = await talk(session, 2);
    await session.rewind(events[1]!.id);
    await session.appendUser("another way");
    expect(session.branches()).toMatchObject([
      { leaf: 7, current: true },
      { leaf: 5, from: 3, events: 2, current: false },
    ]);
    await session.clear();
    expect(texts(session)).toEqual([]);
    await session.close();
  });

  test("a fork shares what was before and leaves the base as it is", async () => {
    const session = SessionManager.create(project("p"), undefined, options);
    const events = await talk(session, 2);
    const before = readFileSync(session.getSessionFile()!);
    const fork = session.fork(events[1]!.id);
    await fork.appendUser("instead");
    expect(texts(fork)).toEqual(["question 1", "answer 1", "instead"]);
    const second = fork.fork();
    await second.appendUser("and on");
    expect(texts(second)).toEqual(["question 1", "answer 1", "instead", "and on"]);
    expect(readFileSync(session.getSessionFile()!)).toEqual(before);
    for (const open of [session, fork, second]) await open.close();
  });

  test("compacting keeps the newest turns and a summary of the rest", async () => {
    const session = SessionManager.create(project("p"), undefined, options);
    await talk(session, 20);
    const event = await session.compact({
      keepTokens: 20,
      summarise: (events) => `${events.length} events before`,
    });
    expect(event).toMatchObject({ type: "compaction", strategy: "summarise" });
    expect(texts(session).at(-1)).toBe("answer 20");
    expect(texts(session)[0]).toMatch(/\d+ events before$/);
    expect(texts(session).length).toBeLessThan(12);
    const truncated = await session.compact({ strategy: "truncate", keepTokens: 5 });
    expect(truncated).toMatchObject({ strategy: "truncate" });
    await session.close();
  });

  test("it compacts by itself before a prompt that would not fit", async () => {
    const session = SessionManager.create(project("p"), undefined, {
      ...options,
      autoCompact: {
        windowTokens: 1000,
        reserveTokens: 200,
        keepTokens: 100,
        strategy: "truncate",
      },
    });
    await session.appendUser("q".repeat(1000));
    await session.appendAssistant("a", { usage: { input: 790, output: 50 } });
    await session.appendUser("one more");
    const types = session.path().map(({ type }) => type);
    expect(types).toEqual(["session_start", "user", "assistant", "compaction", "user"]);
    await session.close();
  });

  test("rotation goes on in a new session from a summary, and the old one stays", async () => {
    const session = SessionManager.create(project("p"), undefined, {
      ...options,
      maxBytes: 4000,
      title: "long",
    });
    const first = session.getSessionId();
    await talk(session, 30);
    expect(session.getSessionId()).not.toBe(first);
    const heads = await SessionManager.listAll(options);
    const old = heads.find((head) => head.session === first)!;
    expect(old).toMatchObject({ state: "ended", title: "long" });
    expect(old.sizeBytes).toBeLessThan(6000);
    expect(session.getHeader().continues).toBeDefined();
    expect(session.getTitle()).toBe("long");
    expect(texts(session)[0]).toContain("question 1");
    await session.close();
  });

  test("usage counts each model message once", async () => {
    const session = SessionManager.create(project("p"), undefined, options);
    const usage = { input: 10, output: 5 };
    await session.appendUser("q");
    await session.appendThinking("t", { message: "m1", usage });
    await session.appendAssistant("a", { message: "m1", usage });
    await session.appendAssistant("b", { message: "m2", usage });
    expect(session.usage()).toEqual({ input: 20, output: 10 });
    await session.close();
  });
});

describe("sealed sessions", () => {
  const key = { passphrase: "correct horse" };

  test("hold nothing readable without the key but id, times and types", async () => {
    const session = SessionManager.create(project("p"), undefined, {
      ...options,
      seal: true,
      secret: key,
    });
    await session.appendUser("the launch code is 0000");
    await session.note("x".repeat(100_000));
    await session.setTitle("Codes");
    await session.close();
    const bytes = readFileSync(session.getSessionFile()!, "utf8");
    expect(bytes).not.toContain("launch");
    expect(bytes).not.toContain("Codes");
    expect((await SessionManager.listAll(options))[0]).toMatchObject({
      title: "(sealed)",
      sealed: true,
      events: 4,
    });
    const open = SessionManager.open(session.getSessionFile()!, { ...options, secret: key });
    expect(texts(open)).toEqual(["the launch code is 0000"]);
    expect(open.getTitle()).toBe("Codes");
    await open.close();
  });

  test("a wrong key is refused, and a missing one keeps others from appending", async () => {
    const session = SessionManager.create(project("p"), undefined, {
      ...options,
      seal: true,
      secret: key,
    });
    await session.close();
    const file = session.getSessionFile()!;
    expect(() =>
      SessionManager.open(file, { ...options, secret: { passphrase: "wrong" } }),
    ).toThrow(/does not open/);
    const blind = SessionManager.open(file, options);
    await expect(blind.appendUser("x")).rejects.toMatchObject({ code: "sealed" });
    await blind.close();
  });
});

describe("retention", () => {
  test("keeps everything unless the caller says otherwise", async () => {
    for (let index = 0; index < 5; index += 1) {
      await SessionManager.create(project("p"), undefined, options).close();
    }
    expect(await SessionManager.listAll(options)).toHaveLength(5);
  });

  test("lets the least recently used go, pinned ones stay, and a copy is archived", async () => {
    const ids: string[] = [];
    for (let index = 0; index < 4; index += 1) {
      const session = SessionManager.create(project("p"), undefined, options);
      await session.appendUser(`${index}`);
      if (index === 0) await session.pin();
      await session.close();
      ids.push(session.getSessionId());
    }
    const kept = SessionManager.continueRecent(project("p"), undefined, {
      ...options,
      retention: { maxSessions: 1 },
    });
    expect(kept.getSessionId()).toBe(ids[3]);
    await kept.close();
    const left = (await SessionManager.listAll(options)).map((head) => head.session);
    expect(left.toSorted()).toEqual([ids[0]!, ids[3]!].sort());
    expect(readdirSync(join(home, "archive")).sort()).toEqual(
      [ids[1]!, ids[2]!].map((id) => `${id}.jsonl.gz`).sort(),
    );
  });
});
