import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { AgentEvent } from "../../../src/agents/contract.ts";
import { qwenCode } from "../../../src/agents/qwen-code/index.ts";
import { blocksOf } from "../../../src/model/block.ts";
import { type Atom, wires } from "../../real/wire.mjs";
import { envOf, readAll, refsIn, scenesOf } from "../kit/scenes.ts";

// `expect.json` is what Qwen Code 0.24.4 sent its model when it resumed the session, in the form of Chat Completions.
const chat = wires[2]!;

const replayed = scenesOf("qwen-code").filter(({ home }) => existsSync(join(home, "expect.json")));

test.each(replayed)(
  "what is live in $name is what Qwen Code sends its model on resume",
  async ({ home }) => {
    const messages = JSON.parse(readFileSync(join(home, "expect.json"), "utf8"));
    const ref = [...refsIn(qwenCode, envOf(home)).values()].find(({ path }) =>
      path.includes("chats"),
    )!;
    const { events } = await readAll(qwenCode, ref);
    expect(joined([...chat.atoms({ messages })])).toEqual(joined(events.flatMap(atomsOf)));
  },
);

/** Neighbouring texts of a model are one for it. */
function joined(atoms: readonly Atom[]): readonly Atom[] {
  const told: Atom[] = [];
  for (const atom of atoms) {
    const last = told.at(-1);
    if (atom.kind === "assistant" && last?.kind === "assistant")
      told[told.length - 1] = { kind: "assistant", text: `${last.text}${atom.text}` };
    else told.push(atom);
  }
  return told;
}

function atomsOf({ body }: AgentEvent): readonly Atom[] {
  switch (body.type) {
    case "compaction":
      return [{ kind: "user", text: body.summary }];
    case "user":
    case "assistant":
      return blocksOf(body.content).flatMap((block): Atom[] => {
        if (block.type === "text") return [{ kind: body.type, text: block.text }];
        if (block.type !== "image" || block.source.kind !== "base64") return [];
        return [{ kind: "image", data: block.source.data }];
      });
    case "tool_use":
      return [{ kind: "call", id: body.call, name: body.name, input: body.input }];
    case "tool_result":
      return [{ kind: "result", id: body.call, text: String(body.content) }];
    default:
      return [];
  }
}
