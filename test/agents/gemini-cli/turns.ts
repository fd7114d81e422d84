import type { AgentEvent } from "../../../src/agents/contract.ts";
import { blocksOf } from "../../../src/model/block.ts";
import type { Turn } from "./fixtures.ts";

/** A turn in the form both sides are compared in: the parts of neighbouring turns of one role together. */
export interface Said {
  readonly role: "user" | "model";
  readonly parts: readonly unknown[];
}

/**
 * What the program sent, without what it adds itself at every resume: a fresh `<session_context>` in front,
 * the probe prompt at the end, signatures, and a response more than once for one call.
 */
export function sentTurns(contents: readonly Turn[]): Said[] {
  const turns = contents.map((turn) => ({
    role: turn.role === "model" ? ("model" as const) : ("user" as const),
    parts: turn.parts.flatMap((part) => {
      const { thoughtSignature: _signature, ...rest } = part;
      const text = rest["text"];
      if (typeof text === "string" && /^<session_context>|^INTEROP PROMPT$/.test(text)) return [];
      return [plain(rest)];
    }),
  }));
  return merged(turns);
}

/** What a reader says would be sent. */
export function liveTurns(events: readonly AgentEvent[]): Said[] {
  return merged(events.filter((event) => event.live).flatMap(turnOf));
}

function turnOf({ body }: AgentEvent): Said[] {
  switch (body.type) {
    case "user":
      return [{ role: "user", parts: texts(body.content) }];
    case "compaction":
      return [{ role: "user", parts: [{ text: body.summary }] }];
    case "assistant":
      return [{ role: "model", parts: texts(body.content) }];
    case "tool_use": {
      const { call, name, input } = body;
      return [{ role: "model", parts: [{ call: sentId(call, name), name, args: input }] }];
    }
    case "tool_result": {
      const output = blocksOf(body.content)
        .map((block) => (block.type === "text" ? block.text : ""))
        .join("");
      return [{ role: "user", parts: [{ answer: sentId(body.call, body.name), output }] }];
    }
    default:
      return [];
  }
}

function texts(content: Parameters<typeof blocksOf>[0]): unknown[] {
  return blocksOf(content).map((block) => (block.type === "text" ? { text: block.text } : block));
}

function plain(part: Readonly<Record<string, unknown>>): unknown {
  const call = part["functionCall"] as Record<string, unknown> | undefined;
  if (call !== undefined) return { call: call["id"], name: call["name"], args: call["args"] };
  const response = part["functionResponse"] as Record<string, unknown> | undefined;
  if (response === undefined) return part;
  const { output, error } = response["response"] as Record<string, unknown>;
  return { answer: response["id"], output: output ?? error };
}

/** The program sends ids of the form `<name>__x` as `x`. */
function sentId(call: string, name: string | undefined): string {
  return name !== undefined && call.startsWith(`${name}__`) ? call.slice(name.length + 2) : call;
}

function merged(turns: readonly Said[]): Said[] {
  const result: { role: Said["role"]; parts: unknown[] }[] = [];
  for (const turn of turns) {
    if (turn.parts.length === 0) continue;
    const last = result.at(-1);
    const into = last?.role === turn.role ? last : { role: turn.role, parts: [] };
    if (into !== last) result.push(into);
    for (const part of turn.parts) {
      const told = JSON.stringify(part);
      const isAnswer = typeof part === "object" && part !== null && "answer" in part;
      if (isAnswer && into.parts.some((one) => JSON.stringify(one) === told)) continue;
      into.parts.push(part);
    }
  }
  return result;
}
