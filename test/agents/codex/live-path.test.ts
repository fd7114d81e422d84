import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import type { SessionRef } from "../../../src/agents/contract.ts";
import { temporaryFolder } from "../../temporary-folder.mjs";
import {
  answer,
  fixtures,
  inputText,
  item,
  message,
  prompt,
  putRollout,
  readAll,
  refsIn,
  rollBack,
  said,
  threadId,
  turn,
} from "./store.ts";

const [one, two, three] = [1, 2, 3].map(threadId) as [string, string, string];

function ref(home: string, session = one): SessionRef {
  return refsIn(home).get(session)!;
}

function oneSession(records: readonly object[], options: object = {}): SessionRef {
  const home = temporaryFolder();
  putRollout(home, { thread: one, paginated: false, ...options }, records);
  return ref(home);
}

describe("a compaction", () => {
  const replaced = {
    type: "compacted",
    payload: {
      message: "SUMMARY of all",
      replacement_history: [
        { type: "message", role: "developer", content: [inputText("<permissions instructions>x")] },
        { type: "message", role: "user", content: [inputText("first")] },
        { type: "message", role: "user", content: [inputText("again")] },
        { type: "message", role: "user", content: [inputText("again")] },
        { type: "message", role: "user", content: [inputText("cut off…")] },
        { type: "message", role: "user", content: [inputText("SUMMARY of all")] },
      ],
    },
  };
  const records = [
    ...turn("first", "a"),
    ...turn("again", "b"),
    ...turn("again", "c"),
    ...turn("cut off because it was long", "d"),
    replaced,
    ...turn("after", "e"),
  ];

  test("replaces the history, and prompts it repeats stay the events they were", async () => {
    const { events } = await readAll(oneSession(records));
    expect(said(events)).toEqual([
      "user: first",
      "user: again",
      "user: again",
      "user: cut off…",
      "summary: SUMMARY of all",
      "user: after",
      "assistant: e",
    ]);
    expect(events.map((event) => event.number)).toEqual([
      "1",
      "10.2",
      "2",
      "4",
      "6",
      "10.6",
      "10",
      "11",
      "12",
    ]);
  });

  test("leaves everything before it readable, marked as not live", async () => {
    const { events } = await readAll(oneSession(records), { allBranches: true });
    const dead = events.filter((event) => !event.live);
    expect(said(dead)).toEqual([
      "assistant: a",
      "assistant: b",
      "assistant: c",
      "user: cut off because it was long",
      "assistant: d",
    ]);
  });

  test("without a replacement keeps all earlier prompts and its message", async () => {
    const bare = { type: "compacted", payload: { message: "SUMMARY" } };
    const read = await readAll(oneSession([...turn("p", "a"), ...turn("q", "b"), bare]));
    expect(said(read.events)).toEqual(["user: p", "user: q", "summary: SUMMARY"]);
  });

  test("without a replacement keeps prompts only up to what Codex keeps", async () => {
    const bare = { type: "compacted", payload: { message: "S" } };
    const long = "x".repeat(100_000);
    const read = await readAll(oneSession([...turn("old", "a"), ...turn(long, "b"), bare]));
    expect(said(read.events)).toEqual([`user: ${long}`, "summary: S"]);
  });

  test("after a compaction stands on what the first one kept", async () => {
    const second = { type: "compacted", payload: { message: "SECOND" } };
    const read = await readAll(oneSession([...records, second, ...turn("last", "f")]));
    expect(said(read.events)).toEqual([
      "user: first",
      "user: again",
      "user: again",
      "user: cut off…",
      "user: after",
      "summary: SECOND",
      "user: last",
      "assistant: f",
    ]);
  });

  test("that the server made has no summary to show", async () => {
    const remote = {
      type: "compacted",
      payload: {
        message: "",
        replacement_history: [
          { type: "message", role: "user", content: [inputText("p")] },
          { type: "compaction", encrypted_content: "abc" },
        ],
      },
    };
    const read = await readAll(oneSession([...turn("p", "a"), remote, ...turn("q", "b")]));
    const bodies = read.events.map((event) => event.body.type);
    expect(bodies).toEqual(["meta", "compaction", "user", "custom", "user", "assistant"]);
    expect(read.unknown).toEqual({});
  });
});

describe("a roll-back", () => {
  test("drops the last turns with the context written for them", async () => {
    const context = item({
      type: "message",
      role: "user",
      content: [inputText("<environment_context>now</environment_context>")],
    });
    const records = [
      ...turn("p", "a"),
      context,
      ...turn("q", "b"),
      ...turn("r", "c"),
      rollBack(2),
      ...turn("s", "d"),
    ];
    const live = await readAll(oneSession(records));
    expect(said(live.events)).toEqual(["user: p", "assistant: a", "user: s", "assistant: d"]);
    expect(live.events.some((e) => e.body.type === "user" && e.body.injected)).toBe(false);
    const all = await readAll(oneSession(records), { allBranches: true });
    expect(said(all.events.filter((event) => !event.live))).toEqual([
      "user: q",
      "assistant: b",
      "user: r",
      "assistant: c",
    ]);
  });

  test("after a roll-back counts only the turns that are left", async () => {
    const records = [
      ...turn("p", "a"),
      ...turn("q", "b"),
      rollBack(1),
      ...turn("r", "c"),
      rollBack(2),
      ...turn("s", "d"),
    ];
    const { events } = await readAll(oneSession(records));
    expect(said(events)).toEqual(["user: s", "assistant: d"]);
  });

  test("of more turns than there are keeps what came before the first", async () => {
    const developer = item({ type: "message", role: "developer", content: [inputText("be kind")] });
    const { events } = await readAll(oneSession([developer, ...turn("p", "a"), rollBack(99)]));
    expect(events.map((event) => event.body.type)).toEqual(["meta", "system", "custom"]);
  });

  test("of no turns, or of none that count, changes nothing", async () => {
    const { events } = await readAll(oneSession([rollBack(3), ...turn("p", "a"), rollBack(0)]));
    expect(said(events)).toEqual(["user: p", "assistant: a"]);
  });

  test("is seen however its fields are ordered", async () => {
    const backwards = message({ num_turns: 1, type: "thread_rolled_back" });
    const { events } = await readAll(oneSession([...turn("p", "a"), ...turn("q", "b"), backwards]));
    expect(said(events)).toEqual(["user: p", "assistant: a"]);
  });

  test("reaches into what a compaction kept", async () => {
    const bare = { type: "compacted", payload: { message: "S" } };
    const records = [...turn("p", "a"), ...turn("q", "b"), bare, ...turn("r", "c"), rollBack(3)];
    const { events } = await readAll(oneSession(records));
    expect(said(events)).toEqual(["user: p"]);
  });
});

describe("files that stand on each other", () => {
  /** Two turns are ordinals 1 to 4; the first turn ends before ordinal 3. */
  function rewound(): { readonly home: string; readonly segment: string } {
    const home = temporaryFolder();
    const segment = threadId(9);
    putRollout(home, { thread: one }, [...turn("p", "a"), ...turn("wrong", "b")]);
    const base = { id: one, ordinal: 3 };
    putRollout(home, { thread: one, segment, second: 30, base }, turn("right", "c"));
    return { home, segment };
  }

  test("a rewound thread is one session whose path is the newest segment", () => {
    const { home, segment } = rewound();
    const refs = [...refsIn(home).values()];
    expect(refs.map((found) => found.session)).toEqual([one]);
    expect(refs[0]!.path).toContain(segment);
    expect(refs[0]!.part).toContain(`-${one}.jsonl`);
  });

  test("a rewound thread replays the base up to the rewind, then the segment", async () => {
    const { home } = rewound();
    const { events, damage } = await readAll(ref(home));
    expect(said(events)).toEqual(["user: p", "assistant: a", "user: right", "assistant: c"]);
    expect(damage).toEqual([]);
  });

  test("what a rewind left behind is still read with all branches, under its own numbers", async () => {
    const { home } = rewound();
    const before = temporaryFolder();
    putRollout(before, { thread: one }, [...turn("p", "a"), ...turn("wrong", "b")]);
    const { events } = await readAll(ref(home), { allBranches: true });
    expect(said(events.filter((event) => !event.live))).toEqual(["user: wrong", "assistant: b"]);
    expect(new Set(events.map((event) => event.number)).size).toBe(events.length);
    const numbers = new Map(events.map((event) => [event.number, said([event])]));
    for (const event of (await readAll(ref(before))).events) {
      expect(numbers.get(event.number)).toEqual(said([event]));
    }
  });

  test("a segment that was itself rewound away is told as not live", async () => {
    const { home, segment } = rewound();
    const base = { id: one, ordinal: 3 };
    const newest = threadId(10);
    putRollout(home, { thread: one, segment: newest, second: 60, base }, turn("best", "d"));
    expect(ref(home).path).not.toContain(segment);
    const live = await readAll(ref(home));
    expect(said(live.events)).toEqual(["user: p", "assistant: a", "user: best", "assistant: d"]);
    const all = await readAll(ref(home), { allBranches: true });
    expect(said(all.events.filter((event) => !event.live))).toEqual([
      "user: wrong",
      "assistant: b",
      "user: right",
      "assistant: c",
    ]);
    expect(new Set(all.events.map((event) => event.number)).size).toBe(all.events.length);
  });

  test("a fork of a fork of an archived thread is read whole, numbers going on", async () => {
    const home = temporaryFolder();
    putRollout(home, { thread: one, archived: true }, [
      ...turn("p", "a"),
      ...turn("not ours", "x"),
    ]);
    const first = { id: one, ordinal: 3 };
    putRollout(home, { thread: two, second: 30, base: first }, [
      ...turn("q", "b"),
      ...turn("not ours either", "y"),
    ]);
    const second = { id: two, ordinal: 6 };
    putRollout(home, { thread: three, second: 60, base: second }, turn("r", "c"));
    const { events, damage } = await readAll(ref(home, three), { allBranches: true });
    expect(said(events)).toEqual([
      "user: p",
      "assistant: a",
      "user: q",
      "assistant: b",
      "user: r",
      "assistant: c",
    ]);
    const items = events.filter((event) => event.body.type !== "meta");
    expect(items.map((event) => event.number)).toEqual(["2", "3", "5", "6", "8", "9"]);
    expect(damage).toEqual([]);
  });

  test("a fork of a rewound segment finds the segment by its own id", async () => {
    const { home, segment } = rewound();
    const base = { id: segment, ordinal: 6 };
    putRollout(home, { thread: two, second: 90, base }, turn("q", "d"));
    const { events } = await readAll(ref(home, two));
    expect(said(events)).toEqual([
      "user: p",
      "assistant: a",
      "user: right",
      "assistant: c",
      "user: q",
      "assistant: d",
    ]);
  });

  test("a compaction in the base counts for the fork, one behind the fork point does not", async () => {
    const home = temporaryFolder();
    const compacted = { type: "compacted", payload: { message: "S" } };
    putRollout(home, { thread: one }, [...turn("p", "a"), compacted, ...turn("q", "b"), compacted]);
    putRollout(home, { thread: two, second: 30, base: { id: one, ordinal: 6 } }, turn("r", "c"));
    const { events } = await readAll(ref(home, two));
    expect(said(events)).toEqual([
      "user: p",
      "summary: S",
      "user: q",
      "assistant: b",
      "user: r",
      "assistant: c",
    ]);
  });

  test("a missing base is told and the rest is read", async () => {
    const home = temporaryFolder();
    putRollout(home, { thread: two, base: { id: one, ordinal: 3 } }, turn("q", "b"));
    const { events, damage } = await readAll(ref(home, two));
    expect(said(events)).toEqual(["user: q", "assistant: b"]);
    expect(damage.map((found) => found.kind)).toEqual(["missing_file"]);
  });

  test("a base id that is a path is not followed", async () => {
    const home = temporaryFolder();
    putRollout(home, { thread: two, base: { id: "../../../etc/passwd", ordinal: 3 } }, []);
    const { damage } = await readAll(ref(home, two));
    expect(damage.map((found) => found.kind)).toEqual(["missing_file"]);
  });

  test("files that stand on each other in a circle are told and read once", async () => {
    const home = temporaryFolder();
    putRollout(home, { thread: one, base: { id: two, ordinal: 9 } }, turn("p", "a"));
    putRollout(home, { thread: two, base: { id: one, ordinal: 99 } }, turn("q", "b"));
    const { events, damage } = await readAll(ref(home, two));
    expect(said(events)).toEqual(["user: p", "assistant: a", "user: q", "assistant: b"]);
    expect(damage.map((found) => found.kind)).toEqual(["cycle"]);
  });

  test("a compressed, archived base is decoded and replayed like a plain one", async () => {
    const plain = refsIn(join(fixtures, "0.166.0/forked"));
    const compressed = refsIn(join(fixtures, "0.166.0/forked-compressed"));
    for (const session of plain.keys()) {
      const expected = await readAll(plain.get(session)!, { allBranches: true });
      const { events, damage } = await readAll(compressed.get(session)!, { allBranches: true });
      expect(events).toEqual(expected.events);
      expect(damage).toEqual([]);
    }
  });

  test("a compressed file cut short is read as far as it goes, and told", async () => {
    const source = refsIn(join(fixtures, "0.166.0/forked-compressed"));
    const [whole] = [...source.values()].filter((found) => found.path.endsWith(".zst"));
    const home = temporaryFolder();
    const path = join(home, ".codex/sessions/2026/11/15", whole!.path.split("/").at(-1)!);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, readFileSync(whole!.path).subarray(0, 1500));
    const { damage } = await readAll(ref(home, whole!.session));
    expect(damage.length).toBeGreaterThan(0);
    writeFileSync(path, "not zstd at all");
    const { damage: told } = await readAll(ref(home, whole!.session));
    expect(told.length).toBeGreaterThan(0);
  });

  test("of a file that is there plain and compressed the plain one is read", async () => {
    const home = temporaryFolder();
    const path = putRollout(home, { thread: one }, turn("p", "a"));
    writeFileSync(`${path}.zst`, "old");
    expect(ref(home).path).toBe(path);
    const { events } = await readAll(ref(home));
    expect(said(events)).toEqual(["user: p", "assistant: a"]);
  });

  test("a legacy fork is a whole copy and only its own metadata is live", async () => {
    const home = temporaryFolder();
    const copied = { type: "session_meta", payload: { id: one, cwd: "/elsewhere" } };
    const meta = { forked_from_id: one };
    putRollout(home, { thread: two, paginated: false, meta }, [copied, ...turn("p", "a")]);
    const { events } = await readAll(ref(home, two));
    expect(events.filter((event) => event.body.type === "meta").length).toBe(1);
    expect(said(events)).toEqual(["user: p", "assistant: a"]);
  });
});

describe("items", () => {
  test("that the program would drop are told as not live", async () => {
    const records = [
      item({ type: "message", role: "user", content: "a bare string" }),
      item({ type: "message", role: "user", content: [{ type: "text", text: "wrong block" }] }),
      item({ type: "message", role: "system", content: [inputText("system")] }),
      item({ type: "function_call", name: "f", arguments: { a: 1 }, call_id: "c1" }),
      item({ type: "function_call_output", call_id: "nobody", output: "orphan" }),
      item({ type: "custom_tool_call", name: "g", input: "x", call_id: "c2" }),
      item({ type: "function_call_output", call_id: "c2", output: "other kind" }),
      item({ type: "ghost_snapshot", ghost_commit: { id: "abc" } }),
      ...turn("p", "a"),
    ];
    const live = await readAll(oneSession(records));
    expect(said(live.events)).toEqual(["call g", "user: p", "assistant: a"]);
    const all = await readAll(oneSession(records), { allBranches: true });
    expect(all.events.filter((event) => !event.live).length).toBe(7);
  });

  test("of every kind become events of their kind", async () => {
    const records = [
      ...prompt("p"),
      item({
        type: "reasoning",
        summary: [],
        content: [{ type: "reasoning_text", text: "because" }],
        encrypted_content: "sealed",
      }),
      item({ type: "reasoning", summary: [], encrypted_content: "sealed" }),
      item({
        type: "local_shell_call",
        call_id: "c1",
        status: "completed",
        action: { type: "exec", command: ["ls"] },
      }),
      item({
        type: "function_call_output",
        call_id: "c1",
        output: '{"output":"no","metadata":{"exit_code":2,"duration_seconds":0.5}}',
      }),
      item({ type: "web_search_call", id: "ws1", status: "completed", action: { query: "q" } }),
      item({ type: "image_generation_call", id: "ig1", status: "completed", result: "AAAA" }),
      item({ type: "function_call", name: "spawn_agent", arguments: "{}", call_id: "c2" }),
      item({
        type: "function_call_output",
        call_id: "c2",
        output: `{"agent_id":"${two}","nickname":"Archimedes"}`,
      }),
      item({ type: "function_call", name: "f", arguments: "not json", call_id: "c3" }),
      item({
        type: "function_call_output",
        call_id: "c3",
        output: [
          inputText("text"),
          { type: "input_image", image_url: "data:image/png;base64,QUJD" },
        ],
      }),
      message({ type: "turn_aborted", reason: "interrupted" }),
      message({ type: "never_heard_of", x: 1 }),
      item({ type: "never_seen" }),
      { type: "new_record", payload: { a: 1 } },
    ];
    const { events, unknown } = await readAll(oneSession(records), { allBranches: true });
    expect(events.slice(1).map(({ number, body }) => [number, body])).toMatchSnapshot();
    expect(unknown).toEqual({
      "event_msg/never_heard_of": 1,
      "response_item/never_seen": 1,
      new_record: 1,
    });
  });

  test("from an inter-agent record begin a turn that can be rolled back", async () => {
    const sent = {
      type: "inter_agent_communication",
      payload: { author: "root", recipient: "child", content: "count the files" },
    };
    const { events } = await readAll(
      oneSession([...turn("p", "a"), sent, ...answer("2"), rollBack(1)]),
    );
    expect(said(events)).toEqual(["user: p", "assistant: a"]);
  });
});

test("a session whose file is gone is told, not thrown", async () => {
  const home = temporaryFolder();
  const path = putRollout(home, { thread: one }, turn("p", "a"));
  const found = ref(home);
  rmSync(path);
  const { events, damage } = await readAll(found);
  expect(events).toEqual([]);
  expect(damage.map((one) => one.kind)).toEqual(["missing_file"]);
  renameSync(join(home, ".codex"), join(home, ".elsewhere"));
});
