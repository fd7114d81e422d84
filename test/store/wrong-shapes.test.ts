import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { expectedSum } from "../../src/log/line.ts";
import { commandsIn, type Ran } from "../programs/cli/in-process.ts";
import { temporaryFolder } from "../temporary-folder.mjs";

/*
 * Lines that any program could have written: whole JSON, sums that fit, numbers in order, and shapes that no event has.
 */

const seed = 20261118;
const at = "2026-11-15T10:00:00.000Z";

type Fields = Readonly<Record<string, unknown>>;

/** Writes a session file whose sums all fit. */
function writeSession(home: string, session: string, bodies: readonly Fields[]): string {
  const folder = join(home, ".reprise", "sessions", "work-00000000");
  mkdirSync(folder, { recursive: true });
  let previous = "";
  let offset = 0;
  let metaAt: number | undefined;
  const lines = bodies.map((body, index) => {
    const frame = { id: index + 1, ...(index > 0 && { parent: index }), at };
    if (body["type"] === "meta") metaAt = offset;
    const fields = { ...frame, ...body, ...(metaAt !== undefined && { metaAt }) };
    const bare = JSON.stringify({ ...fields, sum: "0000000000000000" });
    previous = expectedSum(Buffer.from(bare), previous);
    const line = bare.replace(/"0{16}"\}$/, `"${previous}"}`);
    offset += Buffer.byteLength(line) + 1;
    return line;
  });
  const file = join(folder, `${session}.jsonl`);
  writeFileSync(file, lines.map((line) => `${line}\n`).join(""));
  return file;
}

const startOf = (session: string, more: Fields = {}): Fields => ({
  type: "session_start",
  format: 1,
  session,
  cwd: "/home/dev/app",
  ...more,
});
const user = { type: "user", content: "what is said" };

const sound: readonly Fields[] = [user, { type: "assistant", content: "an answer" }];

interface Listed {
  readonly sessions: readonly { readonly session: string; readonly problem?: string }[];
}

const wrong: Readonly<Record<string, readonly Fields[]>> = {
  "tags that are text": [startOf("s", { tags: "x" }), ...sound],
  "a number as title": [startOf("s", { title: 5 }), ...sound],
  "a title of a meta line that is a number": [startOf("s"), ...sound, { type: "meta", title: 5 }],
  "tags of a meta line that are text": [startOf("s"), ...sound, { type: "meta", tags: "x" }],
  "a user event without content": [startOf("s"), { type: "user" }, ...sound],
  "content that is a number": [startOf("s"), { type: "user", content: 5 }, ...sound],
  "content with a block that is null": [startOf("s"), { type: "user", content: [null] }, ...sound],
  "a tool call without a name": [startOf("s"), { type: "tool_use", call: "c", input: 1 }, ...sound],
  "a project that is text": [startOf("s", { project: "x" }), ...sound],
  "a git state that is a list": [startOf("s", { git: [] }), ...sound],
};

for (const [name, bodies] of Object.entries(wrong)) {
  test(`${name} costs that alone: other sessions are listed, this one is shown, verify reports it`, async () => {
    const home = temporaryFolder();
    const run = commandsIn(home);
    writeSession(home, "s", bodies);
    writeSession(home, "other", [startOf("other"), ...sound]);
    const { sessions } = JSON.parse((await run("list", "--json")).text) as Listed;
    expect(sessions.map(({ session }) => session).sort()).toEqual(["other", "s"]);
    const shown = await run("show", "s");
    expect(shown).toMatchObject({ code: undefined, text: expect.stringContaining("an answer") });
    expect(shown.text).toMatch(/1 damaged record/);
    const verified = await run("verify", "s");
    expect(verified).toMatchObject({
      code: "damaged",
      text: expect.stringContaining("bad_record"),
    });
    const context = await run("continue", "s", "--json");
    expect(context).toMatchObject({ code: undefined, text: expect.stringContaining("an answer") });
    expect((await run("verify", "other")).code).toBeUndefined();
  });
}

test("a first line that is wrong where it matters most is reported, and hides no other session", async () => {
  for (const more of [{ base: 5 }, { base: null }, { seal: null }, { seal: 5 }, { session: 5 }]) {
    const home = temporaryFolder();
    const run = commandsIn(home);
    writeSession(home, "s", [startOf("s", more), ...sound]);
    writeSession(home, "other", [startOf("other"), ...sound]);
    const listed = await run("list", "--json");
    expect(listed.code).toBeUndefined();
    expect((JSON.parse(listed.text) as Listed).sessions).toHaveLength(2);
    expect((await run("verify")).code).toBe("damaged");
    expect((await run("show", "other")).code).toBeUndefined();
    expect((await run("show", "s")).code).not.toBe("internal");
  }
});

/** For every type a body with all its fields. */
const whole: readonly Fields[] = [
  { type: "system", content: "be brief" },
  { type: "user", content: [{ type: "text", text: "hi" }], author: "dev", injected: false },
  {
    type: "user",
    content: [{ type: "image", mediaType: "image/png", source: { kind: "base64", data: "AA==" } }],
  },
  {
    type: "assistant",
    content: "yes",
    message: "m1",
    model: "m",
    usage: { input: 1, output: 2, cost: 0.1 },
    stopReason: "end",
    endTurn: true,
  },
  { type: "thinking", content: "hm", signature: "s", message: "m1" },
  { type: "tool_use", call: "c1", name: "Edit", input: { file_path: "/a", old_string: "a" } },
  { type: "tool_use", call: "c2", name: "Bash", input: { command: "ls" }, message: "m1" },
  { type: "tool_result", call: "c1", content: "ok", name: "Edit", isError: false, details: {} },
  { type: "compaction", summary: "so far", keepFrom: 2, tokensBefore: 10, strategy: "x" },
  { type: "rewind", to: 2, from: 4, reason: "no" },
  { type: "checkpoint", label: "here", snapshot: "x", data: {} },
  { type: "restore", checkpoint: 2, data: {} },
  {
    type: "meta",
    title: "named",
    tags: ["a"],
    labels: { "2": "b" },
    pinned: true,
    model: "m",
    cwd: "/x",
    git: { branch: "main" },
  },
  { type: "plan", content: "first", status: "open" },
  { type: "approval", decision: "yes", call: "c1", scope: "x", reason: "y" },
  { type: "hook", event: "start", content: "x", data: {} },
  { type: "agent", name: "a", status: "on", capabilities: ["x"], from: "b", to: "c", content: "d" },
  { type: "task", task: "t", title: "x", status: "done", progress: 1, dependsOn: ["u"] },
  { type: "subagent", session: "child", name: "n", call: "c1", status: "s", summary: "t" },
  { type: "process", process: "p", command: "ls", status: "x", exitCode: 0 },
  { type: "file", path: "/a", action: "modified", data: {} },
  { type: "note", content: "remark" },
  { type: "recovered", quarantine: "q", bytes: 1, damaged: 1, recovered: 0 },
  { type: "custom", name: "n", data: {} },
  { type: "session_end", summary: "s", reason: "r", rotatedTo: "t" },
];
const wholeStart: Fields = {
  title: "begun",
  tags: ["x"],
  project: { name: "p", path: "/p", remote: "h/p" },
  git: { branch: "b", commit: "c", remote: "r", dirty: true },
  agent: { name: "reprise", version: "1" },
  model: "m",
  createdBy: "dev",
  continues: { session: "before", event: 3 },
  importedFrom: { agent: "codex", session: "x" },
  metadata: {},
};

const anything = fc.oneof(
  fc.constantFrom<unknown>(null, 0, -1, 1.5, 1e300, true, "", "x", [], {}, [null], [[]], [{}], {
    type: "text",
  }),
  fc.constantFrom<unknown>([{ type: "text" }], [{ type: "image" }], [{ type: "file", source: 1 }], {
    blob: "0".repeat(64),
    size: 70_000,
  }),
  fc.jsonValue({ maxDepth: 2 }),
);

/** A body with some fields put to anything, taken away, or added. */
function mutated(bodies: readonly Fields[]): fc.Arbitrary<Fields> {
  return fc
    .constantFrom(...bodies)
    .chain((body) => {
      const names = [...Object.keys(body), "at", "parent", "recoveredFrom", "blobs", "sealed"];
      const change = fc.tuple(fc.constantFrom(...names), fc.option(anything, { freq: 8 }));
      return fc.tuple(fc.constant(body), fc.array(change, { maxLength: 3 }));
    })
    .map(([body, changes]) => {
      const fields: Record<string, unknown> = { ...body };
      for (const [name, value] of changes) {
        if (value === null) delete fields[name];
        else fields[name] = value;
      }
      return fields;
    });
}

test(`no shape of a native session is an internal error, and none hides another session (seed ${seed})`, async () => {
  const session = fc.tuple(
    mutated([wholeStart, {}]),
    fc.array(mutated(whole), { minLength: 1, maxLength: 12 }),
  );
  const lines: readonly (readonly string[])[] = [
    ["list", "--json"],
    ["list", "--all"],
    ["list", "--tag", "x"],
    ["show", "s", "--json"],
    ["show", "s", "--all-branches", "--tools", "full", "--thinking"],
    ["show", "s", "--last", "3"],
    ["verify", "s", "--json"],
    ["continue", "s", "--json"],
    ["continue", "s", "--json", "--budget", "100"],
    ["handoff", "s"],
    ["resume", "s", "--in", "claude-code", "--dry-run"],
    ["export", "s", "--format", "html"],
    ["export", "s", "--format", "md"],
    ["files", "s"],
    ["stats", "--json"],
    ["stats", "--session", "s", "--json"],
    ["search", "said", "--substring", "--json"],
    ["search", "said", "--json"],
    ["blame", "/a", "--json"],
    ["session", "restore", "s", "--json"],
    ["task", "--json"],
    ["rename", "s", "another title"],
    ["tag", "s", "another"],
    ["rewind", "s@1", "--yes"],
    ["fork", "s"],
    ["show", "s", "--json"],
  ];
  await fc.assert(
    fc.asyncProperty(session, async ([start, bodies]) => {
      const home = temporaryFolder();
      const run = commandsIn(home);
      writeSession(home, "s", [{ ...startOf("s"), ...start, type: "session_start" }, ...bodies]);
      writeSession(home, "other", [startOf("other"), ...sound]);
      for (const line of lines) {
        const ran: Ran = await run(...line);
        if (ran.code === "internal") throw new Error(line.join(" "), { cause: ran.error });
        if (line[0] === "list") expect(ran.code).toBeUndefined();
        // What verify could not read it says in our words, not in those of a program that failed.
        if (line[0] === "verify") expect(ran.text).not.toMatch(/undefined|is not a function|null/);
      }
      const { sessions } = JSON.parse((await run("list", "--json")).text) as Listed;
      expect(sessions.map((one) => one.session)).toContain("other");
    }),
    { seed, numRuns: 80 },
  );
}, 120_000);
