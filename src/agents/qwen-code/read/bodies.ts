import { asNumber, asString, isObject, type JsonObject } from "../../../base/json.ts";
import type { EventBody } from "../../../model/event.ts";
import { contentOf, isThought, partsOf, toolResult, toolUse } from "../../gemini-parts.ts";
import { agentName } from "../locate.ts";
import { historyIn, isQuiet, payloadOf } from "../record-types.ts";
import { usageOf } from "../token-usage.ts";
import { isTyped, typedParts } from "../typed-text.ts";

/** What one record says. */
export interface RecordBodies {
  readonly bodies: readonly EventBody[];
  /** Whether the model is sent it when the session is resumed, if it is on the program's path. */
  readonly sent: boolean;
  /** Whether nobody knows this type; it is kept as it is. */
  readonly unknown?: boolean;
}

const from = { from: agentName };

/** Reads one record. */
export function bodiesOf(record: JsonObject): RecordBodies {
  // What was said aloud is shown, and not sent again.
  const sent = record["subtype"] !== "realtime_message";
  switch (record["type"]) {
    case "user":
      return { bodies: userBodies(record), sent };
    case "assistant":
      return { bodies: answerBodies(record), sent };
    case "tool_result":
      return { bodies: toolBodies(partsIn(record["message"]), detailsOf(record)), sent };
    case "system":
      return systemBodies(record);
    default:
      return { ...kept(record, asString(record["type"]) ?? "no type"), unknown: true };
  }
}

function partsIn(message: unknown): readonly JsonObject[] {
  return isObject(message) ? partsOf(message["parts"]) : [];
}

function kept(record: JsonObject, name: string): RecordBodies {
  const body: EventBody = {
    type: "custom",
    name: `${agentName}/${name.slice(0, 64)}`,
    data: record,
  };
  return { bodies: [body], sent: false };
}

function userBodies(record: JsonObject): readonly EventBody[] {
  const { typed, injected } = typedParts(partsIn(record["message"]));
  const isInjected = !isTyped(record);
  return [
    ...(typed.length > 0 || injected.length === 0 ? [userBody(typed, isInjected)] : []),
    ...injected.map((part) => userBody([part], true)),
  ];
}

function userBody(parts: readonly JsonObject[], injected: boolean): EventBody {
  return { type: "user", content: contentOf(parts, from), ...(injected && { injected: true }) };
}

function answerBodies(record: JsonObject): readonly EventBody[] {
  const message = asString(record["uuid"]);
  const model = asString(record["model"]);
  const stamp = {
    ...(message !== undefined && { message }),
    ...(model !== undefined && { model }),
  };
  const bodies = spokenBodies(partsIn(record["message"]), stamp);
  const last = bodies.pop() ?? { type: "assistant", content: "", ...stamp };
  const stated = record["usageMetadata"];
  const usage = isObject(stated) ? { usage: usageOf(stated) } : {};
  const isOver = last.type === "assistant" && !bodies.some(({ type }) => type === "tool_use");
  bodies.push({ ...last, ...usage, ...(isOver && { endTurn: true }) } as EventBody);
  return bodies;
}

/** What a model's parts say, in their order; neighbouring texts are one. */
function spokenBodies(
  parts: readonly JsonObject[],
  stamp: { readonly message?: string },
): EventBody[] {
  const bodies: EventBody[] = [];
  let said: JsonObject[] = [];
  const flush = (): void => {
    if (said.length === 0) return;
    bodies.push({ type: "assistant", content: contentOf(said, from), ...stamp });
    said = [];
  };
  for (const [ordinal, part] of parts.entries()) {
    const call = part["functionCall"];
    if (isThought(part)) {
      flush();
      bodies.push({ type: "thinking", content: asString(part["text"]) ?? "", ...stamp });
    } else if (isObject(call)) {
      flush();
      bodies.push({ ...toolUse(call, { message: stamp.message, ordinal }), ...stamp });
    } else said.push(part);
  }
  flush();
  return bodies;
}

/** The answers of tools, and what stands beside them. */
function toolBodies(parts: readonly JsonObject[], details?: JsonObject): readonly EventBody[] {
  const answers = parts.map((part) => part["functionResponse"]).filter(isObject);
  const beside = parts.filter((part) => !isObject(part["functionResponse"]));
  const bodies: EventBody[] = answers.map((answer, index) => {
    const isLast = index === answers.length - 1;
    const body = toolResult(answer, { ...from, ...(isLast && { beside }) });
    const isError = details?.["status"] === "error" || details?.["status"] === "cancelled";
    return { ...body, ...(isError && { isError }), ...(details !== undefined && { details }) };
  });
  return answers.length > 0 ? bodies : [userBody(beside, true)];
}

/** What the program kept of a call besides its answer: how it ended, the diff it showed. */
function detailsOf(record: JsonObject): JsonObject | undefined {
  const result = record["toolCallResult"];
  if (!isObject(result)) return undefined;
  const { status, resultDisplay, errorType } = result;
  const details = {
    ...(status !== undefined && { status }),
    ...(resultDisplay !== undefined && resultDisplay !== "" && { resultDisplay }),
    ...(errorType !== undefined && { errorType }),
  };
  return Object.keys(details).length === 0 ? undefined : details;
}

function systemBodies(record: JsonObject): RecordBodies {
  const history = historyIn(record);
  if (history !== undefined) return { bodies: compactionBodies(record, history), sent: true };
  const subtype = asString(record["subtype"]) ?? "no subtype";
  if (subtype === "custom_title") {
    const title = asString(payloadOf(record)["customTitle"]) ?? null;
    return { bodies: [{ type: "meta", title }], sent: false };
  }
  if (!isQuiet(subtype)) return { ...kept(record, subtype), unknown: true };
  const body: EventBody = {
    type: "custom",
    name: `${agentName}/${subtype}`,
    data: payloadOf(record),
  };
  return { bodies: [body], sent: false };
}

/** What the program answers to a summary by itself. */
const acknowledged = /^Got it\. Thanks for the additional context!/;

/** What stands for all before it: mostly a summary, the program's own answer, and files read again. */
function compactionBodies(
  record: JsonObject,
  history: readonly JsonObject[],
): readonly EventBody[] {
  const [first, second, ...rest] = history;
  const summary = first?.["role"] === "user" ? textIn(partsIn(first)) : undefined;
  const isSummary =
    summary !== undefined &&
    (second === undefined || acknowledged.test(textIn(partsIn(second)) ?? ""));
  // A history that was only made shorter has no summary: all of it is said again.
  if (!isSummary) return [shortened(record), ...history.flatMap(saidAgain)];
  const { info } = payloadOf(record);
  const tokensBefore = isObject(info) ? asNumber(info["originalTokenCount"]) : undefined;
  return [
    { type: "compaction", summary, ...(tokensBefore !== undefined && { tokensBefore }) },
    ...(second === undefined ? [] : saidAgain(second).map(byProgram)),
    ...rest.flatMap(saidAgain),
  ];
}

/** The same as what the program says by itself; a model never said it. */
function byProgram(body: EventBody): EventBody {
  return body.type === "assistant" ? { ...body, synthetic: true } : body;
}

function shortened(record: JsonObject): EventBody {
  const { info } = payloadOf(record);
  return { type: "custom", name: `${agentName}/chat_compression`, data: { info } };
}

function saidAgain(content: JsonObject): readonly EventBody[] {
  const parts = partsIn(content);
  if (content["role"] === "model") return spokenBodies(parts, {});
  const isAnswer = parts.some((part) => isObject(part["functionResponse"]));
  return isAnswer ? toolBodies(parts) : [userBody(parts, true)];
}

function textIn(parts: readonly JsonObject[]): string | undefined {
  const texts = parts.flatMap((part) => asString(part["text"]) ?? []);
  return texts.length === 0 ? undefined : texts.join("");
}
