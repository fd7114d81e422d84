import { expect, test } from "vitest";
import { factsOfPath } from "../../../src/bridge/ledger/learn.ts";
import type { SessionEvent } from "../../../src/model/event.ts";

test("what a whole session tells holds no secret, wherever it stood", () => {
  const secret = ["ghp", "0123456789abcdefghijABCDEFGHIJ456789"].join("_");
  const at = "2026-01-01T00:00:00.000Z";
  const path: readonly SessionEvent[] = [
    { id: 1, at, type: "user", content: [{ type: "text", text: `Publish with ${secret}.` }] },
    { id: 2, at, type: "task", task: "t1", status: "open", title: `Use ${secret}` },
    {
      id: 3,
      at,
      type: "tool_use",
      call: "c1",
      name: "Write",
      input: { file_path: `/p/${secret}.txt`, content: "" },
    },
    {
      id: 4,
      at,
      type: "tool_use",
      call: "c2",
      name: "TodoWrite",
      input: { todos: [{ content: `Hide ${secret}`, status: "pending" }] },
    },
  ];
  const facts = factsOfPath(path);
  expect(facts.tasks).toHaveLength(2);
  expect(facts.files).toHaveLength(1);
  expect(JSON.stringify(facts)).not.toContain(secret);
});
