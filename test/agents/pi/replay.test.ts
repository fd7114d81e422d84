import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { AgentEvent } from "../../../src/agents/contract.ts";
import { blocksOf, type Content } from "../../../src/model/block.ts";
import { fixture, readFile, scenarios } from "./sessions.ts";

// The `.expect.json` beside every session is what that version of pi itself makes of it: the messages of its
// SessionManager, without those it drops on sending.
interface Expected {
  readonly context: readonly Record<string, unknown>[];
}

for (const scenario of scenarios) {
  test(`what is live in ${scenario} is what pi replays`, async () => {
    const expected = JSON.parse(
      readFileSync(fixture(scenario, ".expect.json"), "utf8"),
    ) as Expected;
    const { events } = await readFile(fixture(scenario));
    expect(events.every((event) => event.live)).toBe(true);
    expect(asContext(events)).toEqual(expected.context.map(plain));
  });

  test(`with all branches nothing live in ${scenario} changes`, async () => {
    const live = await readFile(fixture(scenario));
    const all = await readFile(fixture(scenario), { allBranches: true });
    expect(all.events.filter((event) => event.live)).toEqual(live.events);
    expect(all.damage).toEqual(live.damage);
  });
}

/** Live events in the order pi sends them: a compaction first, then what it keeps. */
function asContext(events: readonly AgentEvent[]): unknown[] {
  const compaction = events.filter((event) => event.body.type === "compaction").at(-1);
  const others = events.filter((event) => event !== compaction);
  return (compaction === undefined ? others : [compaction, ...others]).flatMap(messageOf);
}

function messageOf({ body }: AgentEvent): unknown[] {
  switch (body.type) {
    case "user":
      return [{ role: "user", content: blocks(body.content) }];
    case "compaction":
      return [{ role: "user", content: blocks(body.summary) }];
    case "assistant":
      return [{ role: "assistant", text: body.content }];
    case "thinking":
      return [{ role: "assistant", thinking: body.content, signature: body.signature }];
    case "tool_use":
      return [{ role: "assistant", call: body.call, name: body.name, input: body.input }];
    case "tool_result":
      return [
        {
          role: "tool",
          call: body.call,
          content: blocks(body.content),
          isError: body.isError ?? false,
        },
      ];
    default:
      return [];
  }
}

function blocks(content: Content): unknown[] {
  return blocksOf(content).map((block) =>
    block.type === "image" && block.source.kind === "base64"
      ? { type: "image", mimeType: block.mediaType, data: block.source.data }
      : block,
  );
}

/** An expected message in the same form. */
function plain(message: Record<string, unknown>): unknown {
  const { content, block } = message as { content: unknown; block: Record<string, unknown> };
  const given = typeof content === "string" ? blocksOf(content) : content;
  if (message["role"] === "toolResult") {
    return { role: "tool", call: message["call"], content: given, isError: message["isError"] };
  }
  if (message["role"] !== "assistant") return { role: "user", content: given };
  switch (block["type"]) {
    case "thinking":
      return {
        role: "assistant",
        thinking: block["thinking"],
        signature: block["thinkingSignature"],
      };
    case "toolCall":
      return {
        role: "assistant",
        call: block["id"],
        name: block["name"],
        input: block["arguments"],
      };
    default:
      return { role: "assistant", text: block["text"] };
  }
}
