import { randomUUID } from "node:crypto";
import { RepriseError } from "../base/errors.ts";
import { limits } from "../base/limits.ts";
import type { Usage } from "../model/usage.ts";
import type { Conversation } from "../store/conversation.ts";
import { interruptible } from "./interrupt.ts";
import type { LoopEvent } from "./loop-event.ts";
import type { Model, ModelPart, ModelRequest } from "./model.ts";
import type { OpenCall } from "./open-calls.ts";

/** One message of a model, as it is in the log now. */
export interface Heard {
  readonly text: string;
  readonly calls: readonly OpenCall[];
  readonly usage: Usage | undefined;
  /** What cut it off; undefined if it came to its end. */
  readonly failure: unknown;
}

/** Asks a model and writes its answer into the session while it comes in; whatever happens, what was said is kept. */
export async function hearModel(
  model: Model,
  request: ModelRequest,
  into: { readonly session: Conversation; tell(event: LoopEvent): void },
): Promise<Heard> {
  const { session, tell } = into;
  const stream = session.stream({ model: model.id });
  const used = callsIn(request);
  const calls: OpenCall[] = [];
  let text = "";
  let end: Extract<ModelPart, { type: "end" }> | undefined;
  try {
    for await (const part of interruptible(model.stream(request), request.signal)) {
      switch (part.type) {
        case "text":
          stream.text(part.text);
          text += part.text;
          if (part.text !== "") tell(update("text_delta", part.text));
          break;
        case "thinking":
          stream.thinking(part.text, part);
          if (part.text !== "") tell(update("thinking_delta", part.text));
          break;
        case "call": {
          const { input = {} } = part;
          const name = part.name.slice(0, limits.toolNameChars).toWellFormed() || "unnamed";
          const call = freeId(part.call, used);
          stream.toolUse(call, name, input);
          calls.push({ call, name, input });
          break;
        }
        case "end":
          end = part;
          break;
      }
    }
    if (end === undefined) throw cutOff();
  } catch (failure) {
    const isStopped = request.signal.aborted;
    await stream.abort(isStopped ? "aborted" : "error");
    tell({ type: "message_end", unfinished: true });
    return { text, calls, usage: undefined, failure };
  }
  const { stopReason, usage } = end;
  await stream.end({ usage, stopReason, endTurn: calls.length === 0 });
  tell({ type: "message_end", stopReason });
  return { text, calls, usage, failure: undefined };
}

function update(type: "text_delta" | "thinking_delta", delta: string): LoopEvent {
  return { type: "message_update", assistantMessageEvent: { type, delta } };
}

/** The ids of calls that the conversation has already: another call of the same id would be taken for the same one. */
function callsIn({ messages }: ModelRequest): Set<string> {
  const blocks = messages.flatMap(({ content }) => content);
  return new Set(blocks.flatMap((block) => (block.type === "tool_use" ? [block.call] : [])));
}

function freeId(given: string, used: Set<string>): string {
  const isOdd = given === "" || given.length > limits.toolNameChars || used.has(given);
  const id = isOdd ? `call_${randomUUID().replaceAll("-", "")}` : given;
  used.add(id);
  return id;
}

function cutOff(): RepriseError {
  return new RepriseError("model_failed", "The model's answer stopped midway.");
}
