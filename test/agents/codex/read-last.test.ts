import { describe, expect, test } from "vitest";
import type { AgentEvent } from "../../../src/agents/contract.ts";
import { temporaryFolder } from "../../temporary-folder.mjs";
import { putRollout, type Rollout, readAll, refsIn, threadId, turn } from "./store.ts";

const thread = threadId(7);
const filler = "x".repeat(20_000);

function turns(from: number, to: number): Rollout {
  return Array.from({ length: to - from }, (_, index) => {
    const number = from + index;
    return turn(`prompt ${number}`, `answer ${number} ${filler}`);
  }).flat();
}

const record = (type: string, payload: object): object => ({ type, payload });
const user = (text: string): object => ({
  type: "message",
  role: "user",
  content: [{ type: "input_text", text }],
});
const rolledBack = (turnsBack: number): object =>
  record("event_msg", { type: "thread_rolled_back", num_turns: turnsBack });
const replaced = (...kept: string[]): object =>
  record("compacted", {
    message: "What was done",
    replacement_history: [...kept, "What was done"].map(user),
  });

const answered = (text: string): object => ({
  type: "message",
  role: "assistant",
  content: [{ type: "output_text", text }],
});

// Each is larger than what the end is first looked at with.
const threads: Readonly<Record<string, Rollout>> = {
  "a compaction near the end": [...turns(0, 150), replaced("prompt 149"), ...turns(150, 153)],
  "a compaction that repeats old prompts": [
    ...turns(0, 150),
    replaced("prompt 100", "prompt 149"),
    ...turns(150, 152),
  ],
  "a compaction without its own history": [
    ...turns(0, 150),
    record("compacted", { message: "What was done" }),
    ...turns(150, 153),
  ],
  "turns rolled back": [...turns(0, 150), rolledBack(3), ...turns(150, 153)],
  "a roll-back over a compaction": [
    ...turns(0, 150),
    replaced("prompt 148", "prompt 149"),
    ...turns(150, 153),
    rolledBack(4),
    ...turns(153, 154),
  ],
  "nothing taken back": turns(0, 150),
  "neither turns nor tokens told": Array.from({ length: 300 }, (_, number) =>
    record(
      "response_item",
      number % 3 === 0 ? user(`prompt ${number}`) : answered(`answer ${number} ${filler}`),
    ),
  ),
};

describe.each(Object.entries(threads))("%s", (_name, records) => {
  const home = temporaryFolder();
  putRollout(home, { thread, paginated: false }, records);
  const ref = refsIn(home).get(thread)!;
  const told = ({ number, live, body }: AgentEvent) => ({ number, live, body });

  test.each([false, true])(
    "the last events are the end of the whole, all branches: %s",
    async (allBranches) => {
      const whole = (await readAll(ref, { allBranches })).events.map(told);
      for (const last of [1, 4, 9, 60]) {
        const end = await readAll(ref, { allBranches, last });
        expect(end.events.map(told)).toEqual(whole.slice(-last));
      }
    },
  );
});
