import { expect, test } from "vitest";
import type { ReadOptions } from "../../../src/agents/contract.ts";
import { plainText } from "../../../src/model/block.ts";
import { fixtureRoot, readAll, refOf } from "./fixtures.ts";
import {
  answer,
  call,
  header,
  lines,
  model,
  savedChat,
  sessionFile,
  textFile,
  user,
} from "./write-lines.ts";

/** Events as short strings. */
async function told(path: string, options: ReadOptions = {}): Promise<string[]> {
  const { events } = await readAll(refOf(path), options);
  return events.map(({ number, live, body }) => {
    const text = (() => {
      switch (body.type) {
        case "user":
        case "assistant":
        case "note":
        case "thinking":
          return plainText(body.content);
        case "tool_use":
          return body.call;
        case "tool_result":
          return `${body.call} ${body.isError ? "failed " : ""}${plainText(body.content)}`;
        case "compaction":
          return body.summary;
        default:
          return "";
      }
    })();
    return `${number}${live ? "" : " dead"} ${body.type} ${text}`.trimEnd();
  });
}

test("a message written again replaces the first and stands in its place", async () => {
  const path = sessionFile(
    header,
    model("g", "a"),
    user("u", "b"),
    model("g", "a", { toolCalls: [call("c", "t", "r")] }),
  );
  expect(await told(path)).toEqual([
    "1 session_start",
    "2 assistant a",
    "4.2 tool_use c",
    "4.3 tool_result c r",
    "3 user b",
  ]);
});

test("a rewind takes a message and all after it away, an unknown id everything", async () => {
  const all = [header, user("u1", "one"), model("g1", "1"), user("u2", "two"), model("g2", "2")];
  expect(await told(sessionFile(...all, { $rewindTo: "u2" }, user("u3", "three")))).toEqual([
    "1 session_start",
    "2 user one",
    "3 assistant 1",
    "7 user three",
  ]);
  const cleared = sessionFile(...all, { $rewindTo: "nobody" });
  expect(await told(cleared)).toEqual(["1 session_start"]);
  expect(await told(cleared, { allBranches: true })).toEqual([
    "1 session_start",
    "2 dead user one",
    "3 dead assistant 1",
    "4 dead user two",
    "5 dead assistant 2",
    "6 dead custom",
  ]);
});

test("a rewritten history keeps the numbers of what was said before", async () => {
  const before = [
    header,
    user("u", "ask"),
    model("g", "say", { toolCalls: [call("c", "t", "r")] }),
  ];
  const rewrite = {
    $set: {
      messages: [
        user("u", [{ text: "ask" }]),
        model("g", [{ text: "say" }, { functionCall: { id: "c", name: "t", args: {} } }], {
          toolCalls: [call("c", "t", "r")],
        }),
        user("g_response", [answer("c", "t", "r")]),
        user("new", "more"),
      ],
      lastUpdated: "x",
    },
  };
  expect(await told(sessionFile(...before, rewrite))).toEqual([
    "1 session_start",
    "2 user ask",
    "3 assistant say",
    "3.2 tool_use c",
    "3.3 tool_result c r",
    "4.6 user more",
  ]);
});

test("a later header changes nothing, one with messages replaces the conversation", async () => {
  const path = sessionFile(
    header,
    user("u", "one"),
    { ...header, startTime: "2027" },
    user("v", "two"),
  );
  expect(await told(path)).toEqual(["1 session_start", "2 user one", "4 user two"]);
  const replaced = sessionFile(header, user("u", "one"), {
    ...header,
    messages: [user("w", "three")],
  });
  expect(await told(replaced)).toEqual(["1 session_start", "3 user three"]);
});

test("resume's own rule decides which prompts are live", async () => {
  const prompts = [
    "plain",
    "/quit",
    "? help",
    "<session_context>x</session_context>",
    "  ",
    "/home/a is wrong",
  ];
  const path = sessionFile(header, ...prompts.map((text, index) => user(`u${index}`, text)));
  expect(await told(path)).toEqual(["1 session_start", "2 user plain"]);
  const all = await told(path, { allBranches: true });
  expect(all.filter((line) => line.includes("dead"))).toHaveLength(5);
});

test("a prompt behind a zero-width space is read as it was typed", async () => {
  const path = sessionFile(header, user("u", "\u200b/etc/hosts", { displayContent: "/etc/hosts" }));
  expect(await told(path)).toEqual(["1 session_start", "2 user /etc/hosts"]);
});

test("calls in parts with entries for the screen only are told once", async () => {
  const path = sessionFile(
    header,
    model(
      "g",
      [{ text: "Looking." }, { functionCall: { id: "c1", name: "read_file", args: {} } }],
      {
        displayContent: "Looking.",
        toolCalls: [call("c1#shown", "read_file")],
      },
    ),
    user("r", [answer("c1", "read_file", "text")], { displayContent: " " }),
  );
  expect(await told(path)).toEqual([
    "1 session_start",
    "2 assistant Looking.",
    "2.2 tool_use c1",
    "3 tool_result c1 text",
  ]);
});

test("failed and cancelled calls are errors; what the screen showed is kept beside the result", async () => {
  const diff = { fileDiff: "@@", fileName: "a", filePath: "/a" };
  const path = sessionFile(
    header,
    model("g", "", {
      toolCalls: [
        call("c1", "t", "no", { status: "cancelled", resultDisplay: diff }),
        call("c2", "t", undefined, { status: "error", result: "plain text" }),
        call("c3", "t"),
      ],
    }),
  );
  const { events } = await readAll(refOf(path));
  expect(events.filter(({ body }) => body.type === "tool_result").map(({ body }) => body)).toEqual([
    {
      type: "tool_result",
      call: "c1",
      name: "t",
      content: "no",
      isError: true,
      details: { status: "cancelled", resultDisplay: diff },
    },
    {
      type: "tool_result",
      call: "c2",
      name: "t",
      content: "plain text",
      isError: true,
      details: { status: "error" },
    },
  ]);
});

test("an id that is used again for another call has a result of its own", async () => {
  const turn = (id: string) => model(id, "", { toolCalls: [call("same", "t", `r ${id}`)] });
  expect(await told(sessionFile(header, turn("a"), turn("b")))).toEqual([
    "1 session_start",
    "2 tool_use same",
    "2.2 tool_result same r a",
    "3 tool_use same",
    "3.2 tool_result same r b",
  ]);
});

test("images, files and unknown parts survive as blocks", async () => {
  const parts = [
    { text: "see" },
    { inlineData: { mimeType: "image/png", data: "AAAA" } },
    { fileData: { fileUri: "gs://b/f", mimeType: "application/pdf" } },
    { hologram: 1 },
  ];
  const { events } = await readAll(refOf(sessionFile(header, user("u", parts))));
  expect(events[1]?.body).toEqual({
    type: "user",
    content: [
      { type: "text", text: "see" },
      { type: "image", mediaType: "image/png", source: { kind: "base64", data: "AAAA" } },
      { type: "file", mediaType: "application/pdf", source: { kind: "url", url: "gs://b/f" } },
      { type: "opaque", from: "gemini-cli", value: { hologram: 1 } },
    ],
  });
});

test("unknown types, fields and records are counted and kept", async () => {
  const path = sessionFile(
    header,
    { id: "x", type: "oracle", content: 1, timestamp: "t" },
    { a: 1 },
    { $set: { mood: 1 } },
  );
  const { events, unknown, damage } = await readAll(refOf(path), { allBranches: true });
  expect(unknown).toEqual({ "message oracle": 1, record: 1, "$set mood": 1 });
  expect(events.map(({ body }) => (body.type === "custom" ? body.name : body.type))).toEqual([
    "session_start",
    "gemini-cli/oracle",
    "gemini-cli/record",
  ]);
  expect(damage).toEqual([]);
});

test("a torn record glued to the next costs only itself", async () => {
  const text =
    lines(header) +
    lines(user("u1", "lost")).slice(0, 50) +
    lines({ $set: { messages: [user("c", "kept")] } }) +
    lines(user("u2", "after"));
  const { events, damage } = await readAll(refOf(textFile("session-a.jsonl", text)));
  expect(events.map((event) => event.body.type === "user" && event.body.content)).toEqual([
    false,
    "kept",
    "after",
  ]);
  expect(damage).toMatchObject([{ kind: "spliced", recovered: 1 }]);
});

test("a torn last line is told and a whole one without a newline is read", async () => {
  const torn = textFile("session-b.jsonl", `${lines(header, user("u1", "a"))}{"id":"u2","ti`);
  expect((await readAll(refOf(torn))).damage).toMatchObject([{ kind: "torn_tail", recovered: 0 }]);
  const whole = textFile("session-c.jsonl", lines(header, user("u1", "a")).trimEnd());
  expect(await told(whole)).toEqual(["1 session_start", "2 user a"]);
});

test("a single object cut short gives every whole message", async () => {
  const messages = [user("u1", "one"), model("g1", "two"), user("u2", "three")];
  for (const indent of [0, 2]) {
    const text = JSON.stringify({ sessionId: "s", messages }, null, indent);
    const cut = text.slice(0, text.indexOf("three"));
    const path = textFile("session-d.json", cut);
    expect(await told(path)).toEqual(["0 session_start", "1 user one", "2 assistant two"]);
    expect((await readAll(refOf(path))).damage).toMatchObject([{ kind: "torn_tail" }]);
    const hurt = text.replace('"two"', '"tw');
    const after = await readAll(refOf(textFile("session-e.json", hurt)));
    expect(after.damage.length).toBeGreaterThan(0);
    expect(after.events.map(({ body }) => body.type === "user" && body.content)).toContain("three");
  }
});

test("saved chats are read in both forms; all of them is live", async () => {
  const turns = [
    { role: "user", parts: [{ text: "<session_context>x</session_context>" }, { text: "ask" }] },
    { role: "model", parts: [{ text: "say" }, { functionCall: { name: "t", args: {} } }] },
    { role: "user", parts: [{ functionResponse: { name: "t", response: { output: "r" } } }] },
  ];
  const expected = [
    "1 user <session_context>x</session_context>",
    "1.2 user ask",
    "2 assistant say",
    "2.2 tool_use 2:t:0",
    "3 tool_result 2:t:0 r",
  ];
  expect(await told(savedChat(JSON.stringify(turns, null, 2)))).toEqual(expected);
  expect(await told(savedChat(JSON.stringify({ history: turns, authType: "x" })))).toEqual(
    expected,
  );
});

test("a file that is gone is told as damage", async () => {
  const ref = { ...refOf(fixtureRoot), path: `${fixtureRoot}/gone.jsonl` };
  expect((await readAll(ref)).damage).toMatchObject([{ kind: "missing_file" }]);
});
