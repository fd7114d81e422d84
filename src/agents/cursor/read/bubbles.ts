import { asArray, asCount, asString, isObject, type JsonObject } from "../../../base/json.ts";
import { type Block, contentOfBlocks } from "../../../model/block.ts";
import type { EventBody } from "../../../model/event.ts";
import { momentIn } from "../../../model/usage-counts.ts";
import { agentName } from "../name.ts";

/** What one bubble says: a prompt, or thinking, a call with its answer and text of the model. */
export function bodiesOf(bubble: JsonObject): readonly EventBody[] {
  const text = asString(bubble["text"]) || asString(bubble["rawText"]) || "";
  if (bubble["type"] === 1 || bubble["type"] === "user") return [promptBody(bubble, text)];
  const { modelInfo, thinking, toolFormerData, tokenCount } = bubble;
  const model = isObject(modelInfo)
    ? asString(modelInfo["modelName"])
    : asString(bubble["modelType"]);
  const stamp = model === undefined ? {} : { model };
  const bodies: EventBody[] = thoughtsOf(bubble, thinking).map((content) => ({
    type: "thinking",
    content,
    ...stamp,
  }));
  const isCall = isObject(toolFormerData);
  if (text !== "" || (bodies.length === 0 && !isCall)) {
    const usage = usageOf(tokenCount);
    bodies.push({ type: "assistant", content: text, ...stamp, ...(usage && { usage }) });
  }
  return isCall ? [...bodies, ...callBodies(toolFormerData, stamp)] : bodies;
}

/** When a bubble was made, and its own id. */
export function frameOf(bubble: JsonObject): { readonly uuid?: string; readonly at?: string } {
  const ms = momentIn(bubble["createdAt"] ?? bubble["timestamp"]);
  const uuid = asString(bubble["bubbleId"]) ?? asString(bubble["id"]);
  return {
    ...(uuid !== undefined && { uuid }),
    ...(!Number.isNaN(ms) && { at: new Date(ms).toISOString() }),
  };
}

function thoughtsOf(bubble: JsonObject, thinking: unknown): readonly string[] {
  const thought = isObject(thinking) ? asString(thinking["text"]) : asString(thinking);
  if (thought) return [thought];
  return asArray(bubble["allThinkingBlocks"]).flatMap((block) => {
    const text = isObject(block)
      ? (asString(block["text"]) ?? asString(block["content"]))
      : asString(block);
    return text ? [text] : [];
  });
}

function promptBody(bubble: JsonObject, text: string): EventBody {
  const images = asArray(bubble["images"]).filter(isObject);
  const others: Block[] = images.map((value) => ({ type: "opaque", from: agentName, value }));
  const content = others.length === 0 ? text : contentOfBlocks([{ type: "text", text }, ...others]);
  return { type: "user", content };
}

function callBodies(data: JsonObject, stamp: object): readonly EventBody[] {
  const call = asString(data["toolCallId"]) ?? "";
  const name = asString(data["name"]) ?? `tool ${String(data["tool"])}`;
  const input = parsed(data["rawArgs"]) ?? parsed(data["params"]) ?? {};
  const use: EventBody = { type: "tool_use", call, name, input, ...stamp };
  const { result, status, userDecision } = data;
  const isError = hasFailed(data);
  if (result === undefined && !isError) return [use];
  const details = {
    ...(status !== undefined && { status }),
    ...(userDecision !== undefined && { userDecision }),
  };
  const content = asString(result) ?? (result === undefined ? "" : JSON.stringify(result));
  return [use, { type: "tool_result", call, name, content, ...(isError && { isError }), details }];
}

/** A call that was completed may still have been refused by the user, or have failed; then it is said beside it. */
export function hasFailed({ status, additionalData, result }: JsonObject): boolean {
  const failures = ["error", "cancelled", "rejected"];
  const beside = isObject(additionalData) ? additionalData["status"] : undefined;
  const answer = parsed(result);
  const isRejected = isObject(answer) && answer["rejected"] === true;
  return isRejected || [status, beside].some((one) => failures.includes(String(one)));
}

/** JSON as the program keeps it, in a text or as it is; what is none comes as the text. */
export function parsed(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    return value === "" ? undefined : value;
  }
}

function usageOf(count: unknown): { readonly input: number; readonly output: number } | undefined {
  if (!isObject(count)) return undefined;
  const [input, output] = [asCount(count["inputTokens"]) ?? 0, asCount(count["outputTokens"]) ?? 0];
  return input + output === 0 ? undefined : { input, output };
}
