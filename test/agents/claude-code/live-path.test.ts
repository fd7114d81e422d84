import { describe, expect, test } from "vitest";
import {
  assistant,
  call,
  lines,
  other,
  outlineOf,
  readAll,
  result,
  user,
  written,
} from "./store.ts";

type Records = Parameters<typeof lines>[0];

async function replay(records: Records): Promise<readonly string[]> {
  return outlineOf((await readAll(written(lines(records)))).events);
}

async function liveInFileOrder(records: Records): Promise<readonly string[]> {
  const { events } = await readAll(written(lines(records)), { allBranches: true });
  return outlineOf(events.filter((event) => event.live));
}

const start = [user("u1", null, "first"), assistant("a1", "u1", "one")];

describe("the leaf", () => {
  const branches = [
    ...start,
    user("u2", "a1", "left"),
    assistant("a2", "u2", "left answer"),
    user("u3", "a1", "right"),
    assistant("a3", "u3", "right answer"),
  ];
  const left = ["user: first", "assistant: one", "user: left", "assistant: left answer"];
  const right = ["user: first", "assistant: one", "user: right", "assistant: right answer"];

  test("is the last record of the file", async () => {
    expect(await replay(branches)).toEqual(right);
  });

  test("is the tip a later last-prompt names", async () => {
    expect(await replay([...branches, { type: "last-prompt", leafUuid: "a2" }])).toEqual(left);
  });

  test("is not a record that has children, nor one that is not there", async () => {
    for (const leafUuid of ["a1", "nobody", "00000000-0000-0000-0000-000000000000"]) {
      expect(await replay([...branches, { type: "last-prompt", leafUuid }])).toEqual(right);
    }
  });

  test("is not what an earlier last-prompt names", async () => {
    const early = branches.toSpliced(4, 0, { type: "last-prompt", leafUuid: "a2" } as never);
    expect(await replay(early)).toEqual(right);
  });

  test("is never a subagent's record", async () => {
    const aside = assistant("s1", "a3", "aside", { isSidechain: true });
    expect(await replay([...branches, aside])).toEqual(right);
  });

  test("may lack a uuid", async () => {
    const { uuid: _none, ...bare } = user("x", "a1", "bare");
    expect(await replay([...start, bare])).toEqual(["user: first", "assistant: one", "user: bare"]);
  });
});

describe("the way to the root", () => {
  test("takes the record before where a parent is nowhere, and tells it", async () => {
    const records = [...start, user("u2", "lost", "second")];
    expect(await replay(records)).toEqual(["user: first", "assistant: one", "user: second"]);
    const { damage } = await readAll(written(lines(records)));
    expect(damage.map(({ kind }) => kind)).toEqual(["missing_parent"]);
  });

  test("cuts a cycle, and tells it", async () => {
    const records = [user("u1", "a1", "first"), assistant("a1", "u1", "one")];
    expect(await replay(records)).toEqual(["user: first", "assistant: one"]);
    const { damage } = await readAll(written(lines(records)));
    expect(damage.map(({ kind }) => kind)).toEqual(["cycle"]);
  });

  test("loses what precedes a duplicate uuid, as the program does, and tells it", async () => {
    const records = [...start, user("u2", "a1", "second"), assistant("a1", "u2", "again")];
    expect(await replay(records)).toEqual(["user: second", "assistant: again"]);
    const { damage } = await readAll(written(lines(records)));
    expect(damage.map(({ kind }) => kind)).toEqual(["duplicate_id", "cycle"]);
  });

  test("finds a parent that was written after its child", async () => {
    const [first, answer] = start;
    expect(await replay([answer!, first!, user("u2", "a1", "second")])).toEqual([
      "user: first",
      "assistant: one",
      "user: second",
    ]);
  });

  test("leads through attachments, settings and records of unknown types", async () => {
    const records = [
      ...start,
      other("n1", "a1", { type: "attachment", attachment: { type: "date", date: "2026-11-15" } }),
      other("n2", "n1", { type: "advances", data: {} }),
      other("n3", "n2", { type: "system", subtype: "turn_duration", durationMs: 5 }),
      user("u2", "n3", "second"),
    ];
    expect(await replay(records)).toEqual(["user: first", "assistant: one", "user: second"]);
    const { unknown, events } = await readAll(written(lines(records)), { allBranches: true });
    expect(unknown).toEqual({ advances: 1 });
    expect(events.map(({ body }) => body.type)).toEqual([
      ...["user", "meta", "assistant", "custom", "custom", "custom", "user"],
    ]);
  });
});

describe("a compaction", () => {
  const kept = { anchorUuid: "s", uuids: ["a1"] };
  const boundary = (parent: string | null, compactMetadata: object) =>
    other("b", parent, {
      logicalParentUuid: "a2",
      type: "system",
      subtype: "compact_boundary",
      content: "Conversation compacted",
      compactMetadata: { trigger: "manual", preTokens: 99, ...compactMetadata },
    });
  const around = (one: ReturnType<typeof boundary>) => [
    ...start,
    user("u2", "a1", "second"),
    assistant("a2", "u2", "two"),
    one,
    user("s", "b", "the summary", { isCompactSummary: true }),
    user("u3", "s", "third"),
  ];

  test("hides what precedes it, whether or not its boundary has a parent", async () => {
    for (const parent of [null, "a2"]) {
      expect(await replay(around(boundary(parent, {})))).toEqual([
        "user: the summary",
        "user: third",
      ]);
    }
  });

  test("shows the messages it kept behind the summary", async () => {
    const wanted = ["user: the summary", "assistant: one", "user: third"];
    expect(await replay(around(boundary(null, { preservedMessages: kept })))).toEqual(wanted);
    const segment = { headUuid: "a1", tailUuid: "a1", anchorUuid: "s" };
    expect(await replay(around(boundary(null, { preservedSegment: segment })))).toEqual(wanted);
  });

  test("is one event that says what it kept and how large the context was", async () => {
    const ref = written(lines(around(boundary(null, { preservedMessages: kept }))));
    const { events } = await readAll(ref);
    expect(events.find(({ body }) => body.type === "compaction")?.body).toEqual({
      type: "compaction",
      summary: "the summary",
      keepFrom: 2,
      tokensBefore: 99,
      trigger: "manual",
    });
  });
});

describe("parallel calls", () => {
  const part = (uuid: string, parent: string, id: string) =>
    assistant(uuid, parent, [call(id)], { message: { id: "m", stop_reason: "tool_use" } });
  const records = [
    user("u1", null, "do three things"),
    part("c1", "u1", "t1"),
    part("c2", "c1", "t2"),
    result("r1", "c1", "t1", { sourceToolAssistantUUID: "c1" }),
    part("c3", "c2", "t3"),
    result("r3", "c3", "t3", { sourceToolAssistantUUID: "c3" }),
    result("r2", "c2", "t2", { sourceToolAssistantUUID: "c2" }),
    assistant("a", "r2", "done"),
  ];

  test("come back together, calls first, each in file order", async () => {
    expect(await replay(records)).toEqual([
      "user: do three things",
      "call Bash t1",
      "call Bash t2",
      "call Bash t3",
      "result t1: result of t1",
      "result t3: result of t3",
      "result t2: result of t2",
      "assistant: done",
    ]);
  });

  test("are found by the call a result names where its parent is another record", async () => {
    const hook = { type: "attachment", attachment: { type: "hook_success" } };
    const hooked = records.flatMap((record) =>
      record["uuid"] === "r1" ? [other("h", "c1", hook), { ...record, parentUuid: "h" }] : [record],
    );
    expect(await replay(hooked)).toEqual(await replay(records));
  });

  test("do not bring back an abandoned branch's second answer", async () => {
    const twice = records.toSpliced(4, 0, result("r1b", "c1", "t1"));
    expect((await replay(twice)).filter((line) => line.startsWith("result t1"))).toHaveLength(1);
  });
});

describe("what the program leaves out of the replay", () => {
  test("a call in the middle that nobody answered, and a result without its call", async () => {
    const records = [
      user("u1", null, "first"),
      assistant("a1", "u1", [{ type: "text", text: "I try" }, call("t1"), call("t2")]),
      result("r2", "a1", "t2"),
      user("r9", "r2", [{ type: "tool_result", tool_use_id: "t9", content: "stray" }]),
      assistant("a2", "r9", "done"),
    ];
    const wanted = [
      ...["user: first", "assistant: I try", "call Bash t2", "result t2: result of t2"],
      "assistant: done",
    ];
    expect(await replay(records)).toEqual(wanted);
    expect(await liveInFileOrder(records)).toEqual(wanted);
  });

  test("but not a call at the end, which it answers itself", async () => {
    const records = [user("u1", null, "first"), assistant("a1", "u1", [call("t1")])];
    expect(await replay(records)).toEqual(["user: first", "call Bash t1"]);
  });

  test("results written in one line after calls of several records stay", async () => {
    const message = { message: { id: "m" } };
    const records = [
      user("u1", null, "first"),
      assistant("a1", "u1", [call("t1")], message),
      assistant("a2", "a1", [call("t2")], message),
      result("r1", "a2", "t1"),
      result("r2", "r1", "t2"),
      assistant("a3", "r2", "done"),
    ];
    expect(await replay(records)).toHaveLength(6);
  });

  test("trailing thinking, empty text, and errors in place of an answer", async () => {
    const synthetic = { isApiErrorMessage: true, message: { model: "<synthetic>" } };
    const records = [
      ...start,
      assistant("e1", "a1", "API Error: 500", synthetic),
      assistant("e2", "e1", "No response requested.", synthetic),
      assistant("e3", "e2", "only flagged", { isApiErrorMessage: true }),
      user("u2", "e3", "second"),
      assistant("a2", "u2", ""),
      assistant("a3", "a2", [{ type: "thinking", thinking: "hm", signature: "s" }]),
    ];
    expect(await replay(records)).toEqual([
      ...["user: first", "assistant: one", "assistant: No response requested."],
      ...["assistant: only flagged", "user: second"],
    ]);
  });

  test("an inline subagent, which is told apart with all branches", async () => {
    const aside = { isSidechain: true };
    const records = [
      ...start,
      user("s1", null, "sub task", aside),
      assistant("s2", "s1", "sub answer", aside),
      user("u2", "a1", "second"),
    ];
    expect(await replay(records)).toEqual(["user: first", "assistant: one", "user: second"]);
    const { events } = await readAll(written(lines(records)), { allBranches: true });
    const sides = events.filter((event) => event.sidechain !== undefined);
    expect(sides.map(({ sidechain, live, number }) => ({ sidechain, live, number }))).toEqual([
      { sidechain: "sidechain-3", live: false, number: "3" },
      { sidechain: "sidechain-3", live: false, number: "4" },
    ]);
  });
});

describe("events", () => {
  test("of a local command are the user's words, put in by the program", async () => {
    const records = [
      ...start,
      other("l", "a1", { type: "system", subtype: "local_command", content: "<command-name>/x" }),
    ];
    const { events } = await readAll(written(lines(records)));
    expect(events.at(-1)?.body).toEqual({
      type: "user",
      content: "<command-name>/x",
      injected: true,
    });
  });

  test("of a prompt typed meanwhile, of a mentioned file and of a hook are replayed", async () => {
    const rendered = [{ content: "<system-reminder>the file</system-reminder>" }];
    const attached = (uuid: string, parent: string, attachment: object, more = {}) =>
      other(uuid, parent, { type: "attachment", attachment, ...more });
    const records = [
      ...start,
      attached("q", "a1", { type: "queued_command", prompt: "also this" }),
      attached("f", "q", { type: "file", filename: "/x" }, { rendered }),
      attached("h", "f", {
        type: "hook_additional_context",
        hookEvent: "Stop",
        content: ["remember"],
      }),
    ];
    const { events } = await readAll(written(lines(records)));
    expect(events.slice(-3).map(({ body }) => body)).toEqual([
      { type: "user", content: "also this" },
      { type: "user", content: "<system-reminder>the file</system-reminder>", injected: true },
      {
        type: "hook",
        event: "Stop",
        content: "remember",
        data: { type: "hook_additional_context", hookEvent: "Stop", content: ["remember"] },
      },
    ]);
  });

  test("keep images, redacted thinking and blocks nobody knows", async () => {
    const image = { type: "base64", media_type: "image/png", data: "AAAA" };
    const records = [
      user("u1", null, [
        { type: "text", text: "look" },
        { type: "image", source: image },
        { type: "riddle", x: 1 },
      ]),
      assistant("a1", "u1", [
        { type: "redacted_thinking", data: "sealed" },
        { type: "server_tool_use", id: "w" },
        { type: "text", text: "seen" },
      ]),
    ];
    const { events } = await readAll(written(lines(records)));
    expect(events.filter(({ body }) => body.type !== "meta").map(({ body }) => body)).toEqual([
      {
        type: "user",
        content: [
          { type: "text", text: "look" },
          {
            type: "image",
            mediaType: "image/png",
            source: { kind: "base64", data: "AAAA" },
          },
          { type: "opaque", from: "claude-code", value: { type: "riddle", x: 1 } },
        ],
      },
      {
        type: "thinking",
        content: "",
        redacted: true,
        signature: "sealed",
        message: "msg_a1",
        model: "claude-opus-5-5",
      },
      {
        type: "assistant",
        content: [
          {
            type: "opaque",
            from: "claude-code",
            value: { type: "server_tool_use", id: "w" },
          },
        ],
        message: "msg_a1",
        model: "claude-opus-5-5",
        stopReason: "end_turn",
        endTurn: true,
      },
      {
        type: "assistant",
        content: "seen",
        message: "msg_a1",
        model: "claude-opus-5-5",
        stopReason: "end_turn",
        endTurn: true,
        usage: { input: 10, output: 5 },
      },
    ]);
    expect(events.map(({ number }) => number)).toEqual(["1", "1.2", "2", "2.2", "2.3"]);
  });

  test("tell a new folder or branch once, where it changes along the tree", async () => {
    const moved = { ...user("u2", "a1", "second"), cwd: "/home/dev/other", gitBranch: "topic" };
    const back = user("u3", "a1", "third");
    const { events } = await readAll(written(lines([...start, moved, back])), {
      allBranches: true,
    });
    const metas = events.filter(({ body }) => body.type === "meta");
    expect(metas.map(({ number, body }) => ({ number, body }))).toEqual([
      { number: "1.2", body: { type: "meta", cwd: "/home/dev/acme-api", git: { branch: "main" } } },
      { number: "3.2", body: { type: "meta", cwd: "/home/dev/other", git: { branch: "topic" } } },
    ]);
  });

  test("name the session by its titles, and tell others' summaries apart", async () => {
    const records = [
      { type: "summary", summary: "of another session", leafUuid: "elsewhere" },
      ...start,
      { type: "ai-title", aiTitle: "guessed", sessionId: "x" },
      { type: "custom-title", customTitle: "given", sessionId: "x" },
    ];
    const { events } = await readAll(written(lines(records)));
    expect(events.slice(0, 3).map(({ body }) => body)).toEqual([
      { type: "meta", data: { summary: "of another session", leafUuid: "elsewhere" } },
      { type: "meta", title: "guessed" },
      { type: "meta", title: "given" },
    ]);
  });

  test("of hand-written files need nothing but type, uuid, parent and message", async () => {
    const text = [
      '{ "type": "user", "uuid": "1", "parentUuid": null, "message": { "content": "hi" } }',
      '{ "uuid": "2", "message": { "role": "assistant", "content": "hello" }, "type": "assistant", "parentUuid": "1" }',
    ].join("\r\n");
    const { events, damage } = await readAll(written(`\ufeff${text}`));
    expect(outlineOf(events)).toEqual(["user: hi", "assistant: hello"]);
    expect(damage).toEqual([]);
  });
});
