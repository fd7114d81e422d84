import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeEach, expect, test } from "vitest";
import { putClaudeSession } from "./agents-home.ts";
import { type Machine, machine, program, root } from "./program.ts";

let here: Machine;
beforeEach(() => {
  here = machine();
});

function begin(...args: readonly string[]): { readonly session: string; readonly file: string } {
  return here.json("new", ...args) as { readonly session: string; readonly file: string };
}

function say(session: string, ...texts: readonly string[]): void {
  const lines = texts.map((content, index) => {
    return JSON.stringify({ role: index % 2 === 0 ? "user" : "assistant", content });
  });
  const { status, stderr } = here.runWith({ input: lines.join("\n") }, "append", session);
  expect(status, stderr).toBe(0);
}

function texts(session: string, ...args: readonly string[]): readonly string[] {
  const { events } = here.json("show", session, ...args) as {
    readonly events: readonly {
      readonly body: { readonly type: string; readonly content?: string };
    }[];
  };
  return events.flatMap(({ body }) => (typeof body.content === "string" ? [body.content] : []));
}

test("what is appended is there, as events or as messages", () => {
  const { session } = begin("--title", "First", "--tag", "demo", "--model", "m-1");
  const input = [
    '{"type":"tool_use","call":"c1","name":"Bash","input":{"command":"ls"}}',
    '{"role":"tool","tool_call_id":"c1","content":"a.ts"}',
    '{"role":"system","content":"Be brief"}',
  ].join("\n");
  expect(here.runWith({ input }, "append", session).stderr).toContain("Appended 3 events");
  const { events, session: head } = here.json("show", session) as {
    readonly session: object;
    readonly events: readonly { readonly body: { readonly type: string } }[];
  };
  expect(head).toMatchObject({ title: "First", tags: ["demo"], model: "m-1" });
  expect(events.map(({ body }) => body.type)).toEqual([
    "session_start",
    "tool_use",
    "tool_result",
    "system",
  ]);
});

test("bad input is refused with its line, and nothing is written", () => {
  const { session, file } = begin();
  const before = readFileSync(file, "utf8");
  for (const [input, message] of [
    ["not json", "Line 1 is not JSON"],
    ['{"role":"user","content":"ok"}\n{"role":"robot","content":"x"}', "Line 2"],
    ['{"type":"user","content":"x","id":7}', "set by the log"],
    ["", "no events"],
  ] as const) {
    const { status, stderr } = here.runWith({ input }, "append", session);
    expect(status).toBe(1);
    expect(stderr).toContain(message);
  }
  expect(readFileSync(file, "utf8")).toBe(before);
});

test("append after an event that is not the last is a conflict", () => {
  const { session } = begin();
  say(session, "one", "two");
  const input = '{"role":"user","content":"three"}';
  expect(here.runWith({ input }, "append", session, "--after", "1").status).toBe(4);
  expect(here.runWith({ input }, "append", session, "--after", "3").status).toBe(0);
  expect(texts(session)).toEqual(["one", "two", "three"]);
});

test("with --follow each line is acknowledged as it arrives", async () => {
  const { session } = begin();
  const child = spawn(process.execPath, [program, "append", session, "--follow"], {
    env: here.env,
  });
  child.stdin.write('{"role":"user","content":"one"}\n');
  const [first] = (await once(child.stdout, "data")) as [Buffer];
  expect(String(first)).toBe("2\n");
  expect(texts(session)).toEqual(["one"]);
  child.stdin.end('{"role":"assistant","content":"two"}\n');
  expect((await once(child, "close"))[0]).toBe(0);
  expect(texts(session)).toEqual(["one", "two"]);
});

test("an id of one's own is kept, a used or unsafe one is refused", () => {
  expect(begin("--id", "my-session").session).toBe("my-session");
  expect(here.run("new", "--id", "my-session").status).toBe(4);
  for (const id of ["../up", ".hidden", "a b", "con"]) {
    expect(here.run("new", "--id", id).stderr).toContain("refused");
  }
});

test("a fork shares what came before and goes its own way", () => {
  const { session } = begin("--title", "Trunk");
  say(session, "one", "two", "three");
  const { session: fork, base } = here.json("fork", `${session}@3`) as {
    readonly session: string;
    readonly base: object;
  };
  expect(base).toEqual({ session, event: 3 });
  say(fork, "other");
  expect(texts(fork)).toEqual(["one", "two", "other"]);
  expect(texts(session)).toEqual(["one", "two", "three"]);
  expect(here.run("fork", `${session}@99`).status).toBe(3);
});

test("a rewind shows its plan, needs yes, and can be undone", () => {
  const { session } = begin();
  say(session, "one", "two", "three");
  const plan = here.run("rewind", `${session}@2`);
  expect(plan.status).toBe(0);
  expect(plan.stdout).toContain("Go back to event 2; the session is at 4");
  expect(texts(session)).toEqual(["one", "two", "three"]);
  expect(here.run("rewind", `${session}@2`, "--yes").status).toBe(0);
  expect(texts(session)).toEqual(["one"]);
  expect(texts(session, "--all-branches")).toEqual(["one", "two", "three"]);
  expect(here.run("undo").status).toBe(0);
  expect(texts(session)).toEqual(["one", "two", "three"]);
  expect(here.run("undo").status).toBe(1);
  expect(here.run("rewind", session).status).toBe(2);
  for (const sure of [[], ["--yes"]]) {
    const { status, stderr } = here.run("rewind", `${session}@77`, ...sure);
    expect(status).toBe(3);
    expect(stderr).toContain("There is no event 77");
  }
});

test("a rewind is not undone once the session has gone on", () => {
  const { session } = begin();
  say(session, "one", "two");
  here.run("rewind", `${session}@2`, "--yes");
  say(session, "three");
  expect(here.run("undo").status).toBe(4);
  expect(texts(session)).toEqual(["one", "three"]);
});

test("titles, tags and pins are found by references and lists", () => {
  const { session } = begin();
  expect(here.run("rename", session, "Upload", "limits").status).toBe(0);
  expect(here.run("tag", "upload", "release", "keep", "--pin").stdout).toMatch(
    /^Tagged reprise:\S+ with release, keep\. Pinned it\.\n$/,
  );
  expect(here.run("tag", "release", "--remove", "keep").stdout).toMatch(
    /^Removed the tag keep from reprise:\S+\. It has the tag release\.\n$/,
  );
  expect(here.run("tag", "release", "--pin").stdout).toMatch(
    /^Nothing to change: reprise:\S+ has the tag release and is pinned\.\n$/,
  );
  expect(here.run("tag", "release")).toMatchObject({
    stdout: "release\n",
    stderr: "It is pinned.\n",
  });
  expect(here.json("tag", "release")).toMatchObject({ tags: ["release"], pinned: true });
  expect(here.run("list", "--tag", "release").stdout).toContain("* Upload limits #release");
  expect(here.run("tag", "release", "two words").status).toBe(2);
  expect(here.run("tag", "release", "--pin", "--unpin").status).toBe(2);
  expect(here.run("rename", session, " ").status).toBe(2);
});

test("titles and tags of another agent's session are ours alone and can be undone", () => {
  const run = (...args: readonly string[]) => here.run("--sample", ...args);
  const file = String(
    (JSON.parse(run("list", "--agent", "pi", "--json").stdout) as { sessions: { path: string }[] })
      .sessions[0]?.path,
  );
  const before = readFileSync(file);
  expect(run("rename", "docker build", "Container", "trouble").status).toBe(0);
  expect(run("tag", "container", "ops").status).toBe(0);
  expect(run("list", "--tag", "ops").stdout).toContain("Container trouble #ops");
  expect(readFileSync(file)).toEqual(before);
  expect(run("undo", "--list").stdout.split("\n").filter(Boolean)).toHaveLength(2);
  expect(run("undo").status).toBe(0);
  expect(run("list", "--tag", "ops").stdout).toContain("No sessions");
  expect(run("undo").status).toBe(0);
  expect(run("list").stdout).toContain("Docker build");
});

test("what only another program may write is refused with a way on", () => {
  const { status, stderr } = here.run("--sample", "append", "docker");
  expect(status).toBe(1);
  expect(stderr).toContain("reprise import");
});

test("another agent's session goes back by a fork that ends at the event; it stays as it is", () => {
  const { status, stdout } = here.run("--sample", "rewind", "docker@3");
  expect(status).toBe(0);
  expect(stdout).toMatch(/^Make a session for .* that ends at event 3; \S+ stays as it is\.$/m);
});

test("a session of ours is known wherever its file lies", () => {
  const { session, file } = begin();
  say(session, "one", "two");
  const elsewhere = join(here.cwd, `${session}.jsonl`);
  copyFileSync(file, elsewhere);
  expect(here.run("verify", elsewhere).stdout).toContain(`reprise:${elsewhere}  3 events`);
});

type Exported = { readonly session: object; readonly events: readonly object[] };

test.each(["json", "jsonl"])("an exported %s is imported as an equal session", (format) => {
  const { session } = begin("--title", "Original", "--tag", "a", "--model", "m");
  say(session, "one", "two", "three");
  here.run("rewind", `${session}@3`, "--yes");
  say(session, "four", "five");
  here.run("rename", session, "Renamed");
  const file = join(here.cwd, `session.${format}`);
  const args = ["export", session, "--all-branches", "--format", format, "-o", file];
  expect(here.run(...args).status).toBe(0);
  const other = machine();
  const made = other.json("import", file) as { readonly session: string };
  expect(made.session).toBe(session);
  const original = here.json("show", session, "--all-branches") as unknown as Exported;
  const copy = other.json("show", session, "--all-branches") as unknown as Exported;
  expect(copy.events.slice(1)).toEqual(original.events.slice(1));
  expect(other.run("verify").status).toBe(0);
  // Where the id is taken, the copy gets its own.
  const twin = here.json("import", file) as { readonly session: string };
  expect(twin.session).not.toBe(session);
  expect(here.run("undo").status).toBe(0);
  expect(here.run("show", twin.session).status).toBe(3);
});

test("another agent's session is imported with its conversation", () => {
  const { stdout, status } = here.run("--sample", "import", "claude-code:5a3e");
  expect(status).toBe(0);
  const shown = here.run("--sample", "show", stdout.trim()).stdout;
  expect(shown).toContain("rate limit of 20 requests");
  expect(shown).toContain("✗ Bash failed");
});

test("a transcript is imported from wherever it lies, and a second import names the first", () => {
  const id = "5e550000-0000-4000-8000-0000000000ab";
  putClaudeSession(here, { id }, [{ user: "Hello", says: "Hi." }]);
  const [{ path }] = here.json("list", "--all")["sessions"] as [{ path: string }];
  const copy = join(here.cwd, "copy.jsonl");
  copyFileSync(path, copy);
  const first = here.run("import", copy);
  expect(first.stderr).toMatch(/^Imported \d events\.\n$/);
  expect(texts(first.stdout.trim())).toEqual(["Hello", "Hi."]);
  // Another file of the name, and the session in its store, are others.
  mkdirSync(join(here.cwd, "other"));
  copyFileSync(path, join(here.cwd, "other", "copy.jsonl"));
  for (const source of [join("other", "copy.jsonl"), `claude-code:${id}`])
    expect(here.run("import", source).stderr).not.toContain("before");
  const again = here.run("import", copy);
  expect(again.stderr).toContain(`This session was imported before as ${first.stdout.trim()}.\n`);
  expect(here.run("undo").status).toBe(0);
  expect(here.run("delete", first.stdout.trim(), "--yes").status).toBe(0);
  expect(here.run("import", copy).stderr).not.toContain("before");
});

test("what is not an exported session is not imported", () => {
  const file = join(here.cwd, "bad.json");
  const head = '{"format":1,"session":{"agent":"x","session":"y"}}\n';
  for (const [text, message] of [
    ["not json at all", /neither an exported session nor a transcript that an agent wrote/],
    ['{"a":1}', /neither an exported session nor a transcript that an agent wrote/],
    ['{"a":1}\n{"b":2}\n', /`reprise export --format json` or jsonl wrote, an agent's transcript/],
    ['{"format":99,"session":{}}\n', /format is 99/],
    [`${head}{"number":"1"}\n`, /no body/],
    [`${head}{"number":"1","bo`, /damaged/],
    [head, /end is missing/],
    [`${head}{"number":"1","body":{"type":"note","content":"x"}}\n`, /end is missing/],
  ] as const) {
    writeFileSync(file, text);
    const { status, stderr } = here.run("import", file);
    expect(status).toBe(1);
    expect(stderr).toMatch(message);
  }
  expect(here.run("import", "missing.json").status).toBe(3);
  expect(here.run("list", "--agent", "reprise", "--sample").stdout).toBe("No sessions.\n");
  expect(here.json("verify", "--own")).toEqual({ sessions: [] });
});

test("verify finds a changed line and a torn end, and changes nothing", () => {
  const { session, file } = begin();
  say(session, "one", "two");
  expect(here.run("verify", session).stdout).toMatch(/^ok .* 3 events\n$/);
  expect(here.run("verify").stdout).toBe("1 session checked, 0 damaged.\n");
  const whole = readFileSync(file, "utf8");
  writeFileSync(file, whole.replace('"one"', '"ONE"'));
  const changed = here.run("verify", session);
  expect(changed.status).toBe(1);
  expect(changed.stdout).toContain("bad_sum");
  writeFileSync(file, whole);
  appendFileSync(file, '{"id":4,"par');
  const torn = here.run("verify");
  expect(torn.status).toBe(1);
  expect(torn.stdout).toContain("torn_tail");
  expect(readFileSync(file, "utf8")).toBe(`${whole}{"id":4,"par`);
  say(session, "three");
  expect(here.run("verify").status).toBe(0);
  expect(here.run("--sample", "verify", "c81d").status).toBe(1);
});

test("an undo of a title or a tag says what came back", () => {
  const id = "5e550000-0000-4000-8000-000000000001";
  putClaudeSession(here, { id }, [{ user: "Hello" }]);
  here.run("rename", id, "First");
  here.run("rename", id, "Second");
  expect(here.run("undo").stderr).toBe(
    `Undone: title of claude-code:${id}; its title is "First" again.\n`,
  );
  expect(here.run("undo").stderr).toContain("it has its own title again");
  expect(here.run("tag", id, "release").stdout).toBe(`Tagged claude-code:${id} with release.\n`);
  expect(here.run("undo").stderr).toContain("it has no tags again");
});

test("prune plans by the rules of the settings, and says why nothing is removed", () => {
  expect(here.run("prune").status).toBe(2);
  here.run("config", "set", "retention.ttlDays", "90");
  const empty = here.run("prune");
  expect(empty.stderr).toContain("By your settings: retention.ttlDays 90.");
  expect(empty.stdout).toContain("own store is empty. Sessions of other agents are not touched:");
  expect(empty.stdout).toContain("`reprise delete --until 90d`");
  here.run("config", "set", "retention.maxSessions", "1");
  say(begin().session, "one");
  say(begin().session, "two");
  expect(here.run("prune").stdout).toContain("Would remove 1 session");
  expect(here.run("prune", "--ttl", "3").stdout).toContain("Nothing to remove");
});

test("verify and scan look at the sessions of every agent, and say how many; --own means the store alone", () => {
  putClaudeSession(here, { id: "5e550000-0000-4000-8000-000000000001" }, [{ user: "Hello" }]);
  const { session } = begin();
  say(session, "one");
  expect(here.run("verify").stdout).toBe("2 sessions checked, 0 damaged.\n");
  expect(here.run("verify", "--own").stdout).toBe("1 session checked, 0 damaged.\n");
  expect(here.run("verify", "--own", session).status).toBe(2);
  expect(here.run("scan").stdout).toMatch(/^No secret matched the \d+ rules in 2 sessions/);
});

test("what a power cut left beside a session of an older version is put back by the next command that reads it", () => {
  for (const command of ["verify", "show", "export"]) {
    const { session, file } = begin();
    say(session, "one", "two");
    const whole = readFileSync(file, "utf8");
    const last = whole.lastIndexOf("\n", whole.length - 2) + 1;
    const strips = join(dirname(file), "..", "..", "strips");
    mkdirSync(strips, { recursive: true });
    writeFileSync(join(strips, `${session}.strip`), whole.slice(last));
    writeFileSync(file, whole.slice(0, last + 20));
    expect(here.run(command, session).status).toBe(0);
    expect(readFileSync(file, "utf8")).toBe(whole);
    expect(readdirSync(strips)).toEqual([]);
  }
});

test("prune shows a plan, needs yes, keeps the pinned, and can be undone", () => {
  const ids = ["a", "b", "c"].map((id) => begin("--id", id).session);
  here.run("tag", "a", "--pin");
  const plan = here.run("prune", "--max-sessions", "1");
  expect(plan.status).toBe(0);
  expect(plan.stdout).toContain("Would remove 1 session, ");
  expect(here.json("list")["total"]).toBe(3);
  expect(here.run("prune", "--max-sessions", "1", "--yes").status).toBe(0);
  expect(here.json("list")["total"]).toBe(2);
  expect(here.run("show", "a").status).toBe(0);
  expect(here.run("undo").status).toBe(0);
  for (const id of ids) expect(here.run("show", id).status).toBe(0);
  expect(here.run("prune").status).toBe(2);
  expect(here.run("prune", "--ttl", "x").status).toBe(2);
  expect(here.run("prune", "--preset", "nope").status).toBe(2);
  expect(here.run("prune", "--ttl", "30").stdout).toMatch(
    /^Nothing to remove: .* own store is too old/,
  );
});

test("a prune deletes large content that nothing refers to any more, a day after its last use", () => {
  const [goes, stays] = ["goes", "stays"].map((id) => begin("--id", id).session);
  for (const id of ["goes", "stays"]) say(id, `${id} ${"much ".repeat(100_000)}`);
  here.run("tag", stays!, "--pin");
  const blobs = join(here.home, ".reprise", "blobs");
  const large = () =>
    readdirSync(blobs, { recursive: true, encoding: "utf8" }).filter((name) =>
      /[0-9a-f]{64}$/.test(name),
    );
  expect(large()).toHaveLength(2);
  expect(here.run("prune", "--max-sessions", "0").stdout).not.toContain("content");
  const plan = ["prune", "--max-sessions", "0", "--without-archive"];
  expect(here.run(...plan).stdout).toContain("and the large content that only they refer to:");
  const prune = [...plan, "--yes"];
  expect(here.run(...prune).stderr).not.toContain("nothing refers to");
  expect(large()).toHaveLength(2);
  const longAgo = new Date(Date.now() - 2 * 24 * 60 * 60 * 1000);
  for (const name of large()) utimesSync(join(blobs, name), longAgo, longAgo);
  expect(here.run(...prune).stderr).toContain("Deleted 488 KB that nothing refers to any more.");
  expect(large()).toHaveLength(1);
  expect(here.run("show", stays!).stdout).toContain("much much");
  expect(here.run("show", goes!).status).toBe(3);
});

test("an import of a session that is called like the journal gets another name", () => {
  begin("--id", "usual");
  say("usual", "hello");
  const path = join(here.cwd, "s.json");
  expect(here.run("export", "usual", "--format", "json", "--output", path).status).toBe(0);
  writeFileSync(path, readFileSync(path, "utf8").replaceAll('"usual"', '"journal"'));
  expect(here.run("import", path).stderr).toBe("Imported 1 event.\n");
  const { sessions } = here.json("list") as { readonly sessions: readonly { session: string }[] };
  const imported = sessions.map(({ session }) => session).find((session) => session !== "usual");
  expect(imported).toMatch(/^[0-9a-f-]{36}$/);
  expect(texts(imported!)).toContain("hello");
});

test("a prune is noted once: what was done before it is undone next", () => {
  begin("--id", "a");
  say("a", "hello", "hi");
  expect(here.run("rewind", "a@2", "--yes").status).toBe(0);
  const { entry } = here.json("prune", "--max-sessions", "0", "--yes") as {
    readonly entry: number;
  };
  expect(here.json("undo")["undone"]).toMatchObject({ id: entry, kind: "prune" });
  expect(here.json("undo")["undone"]).toMatchObject({ kind: "rewind" });
  expect(here.run("undo").status).toBe(1);
});

test("a prune that is killed in the middle can be undone", () => {
  const ids = ["a", "b", "c"].map((id) => begin("--id", id).session);
  const args = [program, "prune", "--max-sessions", "0", "--yes"];
  for (const place of ["remove.after-leaving:2", "remove.after-settling:2"]) {
    const env = { ...here.env, REPRISE_FAILPOINT: place };
    const { signal } = spawnSync(process.execPath, args, { cwd: here.cwd, env });
    expect(signal).toBe("SIGKILL");
    expect(here.json("list")["total"]).toBe(1);
    const { status, stderr } = here.run("undo");
    expect(status, stderr).toBe(0);
    expect(stderr).toContain("brought 2 sessions back");
    for (const id of ids) expect(here.run("show", id).status).toBe(0);
  }
});

test("prune tells what it could not remove and removes the rest", () => {
  const { file } = begin("--id", "a");
  const line = readFileSync(file, "utf8").replace('"session":"a"', '"session":"../a"');
  writeFileSync(join(dirname(file), "b.jsonl"), line);
  const { status, stderr } = here.run("prune", "--max-sessions", "0", "--yes");
  expect(status).toBe(1);
  expect(stderr).toContain("Removed 1 of 2 sessions.");
  expect(stderr).toContain("is refused");
  expect(stderr).toContain("1 session could not be removed.");
  expect(here.run("undo").status).toBe(0);
  expect(here.run("show", "a").status).toBe(0);
});

test("a fork that was pruned comes back with its beginning, also where that was hidden without a copy", () => {
  begin("--id", "base");
  say("base", "one", "two");
  expect(here.run("fork", "base", "--id", "kid").status).toBe(0);
  say("kid", "three", "four");
  expect(here.run("prune", "--max-sessions", "1", "--without-archive", "--yes").status).toBe(0);
  expect(here.run("prune", "--max-sessions", "0", "--yes").status).toBe(0);
  expect(here.run("undo").status).toBe(0);
  expect(texts("kid")).toEqual(["one", "two", "three", "four"]);
});

test("continue finds this project's newest session, or names one that begins with its first event", () => {
  const first = here.run("--continue");
  expect(first.status).toBe(0);
  expect(first.stderr).toContain("This project has no session yet.");
  const ref = first.stdout.trim();
  expect(first.stderr).toContain(`reprise append ${ref} --begin`);
  expect(here.json("continue")).toMatchObject({ isNew: true, lastId: 0, messages: [] });
  // Who only looked, or said nothing, has made nothing.
  expect(here.runWith({ input: "" }, "append", ref, "--begin").status).toBe(1);
  expect(here.runWith({ input: "" }, "append", ref, "--begin", "--follow").status).toBe(1);
  expect(here.runWith({ input: "{" }, "append", ref, "--begin").status).toBe(1);
  expect(existsSync(join(here.home, ".reprise", "sessions"))).toBe(false);
  const input = '{"role":"user","content":"hello"}\n';
  expect(here.runWith({ input }, "append", ref, "--begin").status).toBe(0);
  expect(here.runWith({ input }, "append", ref, "--begin").status).toBe(0);
  const again = here.json("continue") as { readonly messages: readonly object[] };
  expect(again).toMatchObject({ ref, isNew: false, lastId: 3 });
  expect(here.run("--resume", ref).stdout.trim()).toBe(ref);
  expect(here.run("continue", "--agent", "nobody").status).toBe(2);
  expect(here.run("continue", "nothing").status).toBe(3);
});

test("what import and continue print can be typed back, although the source has the same id", () => {
  const id = "5e550000-0000-4000-8000-0000000000aa";
  putClaudeSession(here, { id }, [{ user: "Hello", says: "Hi." }]);
  const ref = here.run("import", `claude-code:${id}`).stdout.trim();
  expect(here.run("show", id).stderr).toContain("matches 2 sessions");
  const { stdout, stderr } = here.run("continue", ref);
  expect(stdout.trim()).toBe(ref);
  expect(here.run("continue", ref, "--print").stdout).toBe(
    `cd ${here.cwd} && reprise chat --resume ${ref}\n`,
  );
  const printed = /`reprise (append .*)`/.exec(stderr)![1]!.split(" ");
  const input = '{"role":"user","content":"More"}\n';
  expect(here.runWith({ input }, ...printed).status).toBe(0);
  expect(texts(ref)).toEqual(["Hello", "Hi.", "More"]);
});

test("another agent's session is continued by its own program", () => {
  const { stdout, status } = here.run("--sample", "continue", "docker", "build");
  expect(status).toBe(0);
  expect(stdout).toMatch(/pi .*01a1c0de-5eed-7000-8a11-0c0ffee0beef/);
  const { command } = JSON.parse(here.run("--sample", "continue", "5a3e", "--json").stdout) as {
    readonly command: { readonly argv: readonly string[]; readonly cwd: string };
  };
  expect(command.argv[0]).toBe("claude");
  expect(command.argv).toContain("5a3e1c0f-7b64-4d0e-9c55-2f1f6a7d9e10");
  expect(command.cwd).toMatch(/todo-api$/);
});

test("a session that another process writes to exits with 4 and names it", async () => {
  const { session, file } = begin();
  const library = pathToFileURL(join(root, "dist", "index.js")).href;
  const script = `
    const { SessionManager } = await import(${JSON.stringify(library)});
    const session = SessionManager.open(${JSON.stringify(file)});
    const write = () => session.appendSync({ type: "note", content: "busy" });
    write();
    process.stdout.write("holding");
    setInterval(write, 50);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], { env: here.env });
  try {
    await once(child.stdout, "data");
    const input = '{"role":"user","content":"me too"}';
    const { status, stderr } = here.runWith({ input }, "append", session, "--wait", "300");
    expect(status).toBe(4);
    expect(stderr).toContain(String(child.pid));
  } finally {
    child.kill("SIGKILL");
    await once(child, "close");
  }
  say(session, "now it is free");
});

test("what several say at once about another agent's session is all kept", async () => {
  const ref = "5a3e1c0f";
  here.run("--sample", "list");
  const said = [
    ...Array.from({ length: 10 }, (_, at) => ["tag", ref, `t${at}`]),
    ["rename", ref, "Named"],
  ];
  const done = said.map(async (args) => {
    const child = spawn(process.execPath, [program, "--sample", ...args], {
      cwd: here.cwd,
      env: here.env,
    });
    const [status] = await once(child, "exit");
    return status;
  });
  expect(await Promise.all(done)).toEqual(said.map(() => 0));
  const { tags } = here.json("--sample", "tag", ref) as { readonly tags: readonly string[] };
  expect([...tags].sort()).toEqual(Array.from({ length: 10 }, (_, at) => `t${at}`));
  expect(here.run("--sample", "list").stdout).toContain("Named");
});
