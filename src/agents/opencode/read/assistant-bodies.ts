import { asNumber, asString, type JsonObject } from "../../../base/json.ts";
import type { EventBody, ToolResultEvent } from "../../../model/event.ts";
import type { Usage } from "../../../model/usage.ts";
import { compact, objectOf, usageOf } from "../schema.ts";
import type { Drafts } from "./drafts.ts";
import type { NativeMessage } from "./source.ts";
import { toolEvents } from "./tool-calls.ts";
import { textOf } from "./user-bodies.ts";

type ModelBody = Extract<EventBody, { type: "assistant" | "thinking" | "tool_use" }>;

interface Said {
  readonly body: ModelBody;
  readonly live: boolean;
  readonly atMs?: number | undefined;
}

/** What the events of one model message share, and what its last one adds. */
interface Frame {
  readonly message?: string;
  readonly model?: string;
  readonly usage?: Usage;
  readonly stopReason?: string;
  readonly endTurn?: boolean;
}

interface Answer {
  readonly body: EventBody;
  readonly live: boolean;
  readonly atMs?: number | undefined;
}

/**
 * The events of an assistant message. A step is one message of the model: what it said and called
 * comes first, then the results, then what changed; versions before 1.0 keep many steps in one message.
 */
export function assistantBodies(
  native: NativeMessage,
  drafts: Drafts,
  place: { readonly root?: string },
): void {
  const step = new Step(native.info, drafts);
  for (const part of native.parts) {
    drafts.enter(part);
    switch (part["type"]) {
      case "step-start":
        step.finish();
        break;
      case "step-finish":
        step.usage = usageOf(part);
        step.reason = asString(part["reason"]);
        break;
      case "text":
        if (textOf(part) !== "") step.say({ type: "assistant", content: textOf(part) }, part);
        break;
      case "reasoning":
        if (textOf(part) !== "" || signatureOf(part) !== undefined) step.say(thinking(part), part);
        break;
      case "tool":
        step.tool(part, place);
        break;
      default:
        step.beside.push(part);
    }
  }
  step.isLast = true;
  step.finish();
  const error = objectOf(native.info["error"]);
  if (error !== undefined) drafts.add(errorEvent(error), { live: false });
}

/** What one message of the model is made of, until its end is known. */
class Step {
  usage: Usage | undefined;
  reason: string | undefined;
  isLast = false;
  readonly beside: JsonObject[] = [];
  readonly #info: JsonObject;
  readonly #drafts: Drafts;
  #said: Said[] = [];
  #answers: Answer[] = [];
  #number = 0;

  constructor(info: JsonObject, drafts: Drafts) {
    this.#info = info;
    this.#drafts = drafts;
  }

  say(body: ModelBody, part: JsonObject): void {
    const atMs = asNumber(objectOf(part["time"])?.["start"]);
    this.#said.push({ body, live: this.#drafts.isLive, atMs });
  }

  tool(part: JsonObject, place: { readonly root?: string }): void {
    const { use, result, replayed, subagent, endedMs } = toolEvents(part, place);
    const { isLive } = this.#drafts;
    const startedMs = asNumber(objectOf(objectOf(part["state"])?.["time"])?.["start"]);
    this.#said.push({ body: use, live: isLive, atMs: startedMs });
    if (subagent !== undefined) {
      this.#answers.push({ body: subagent, live: isLive, atMs: startedMs });
    }
    const answer = (body: ToolResultEvent, live: boolean): void => {
      this.#answers.push({ body, live, atMs: endedMs });
    };
    if (result !== undefined) answer(result, isLive && replayed === undefined);
    if (replayed !== undefined) answer(replayed, isLive);
  }

  finish(): void {
    if (this.#said.length > 0) this.#number += 1;
    this.#said.forEach(({ body, live, atMs }, index) => {
      const last = index === this.#said.length - 1;
      this.#drafts.add({ ...body, ...this.#frame(body, last) }, { live, atMs });
    });
    for (const { body, live, atMs } of this.#answers) this.#drafts.add(body, { live, atMs });
    for (const part of this.beside) this.#drafts.other(part);
    this.#said = [];
    this.#answers = [];
    this.beside.length = 0;
    this.usage = undefined;
    this.reason = undefined;
  }

  /** The fields all events of the message share, and on its last one what is known of the whole. */
  #frame(body: ModelBody, isLastSaid: boolean): Frame {
    const id = asString(this.#info["id"]) ?? "";
    const shared = compact<{ message: string; model: string }>({
      message: this.#number === 1 ? id : `${id}#${this.#number}`,
      model: asString(this.#info["modelID"]),
    });
    if (!isLastSaid) return shared;
    const whole = this.isLast && this.#number === 1 ? usageOf(this.#info) : undefined;
    const usage = this.usage ?? whole;
    const counted = usage === undefined ? shared : { ...shared, usage };
    if (body.type !== "assistant") return counted;
    const stopReason = this.reason ?? (this.isLast ? asString(this.#info["finish"]) : undefined);
    const completed = asNumber(objectOf(this.#info["time"])?.["completed"]) !== undefined;
    const endTurn = this.isLast && completed && stopReason !== "tool-calls";
    return {
      ...counted,
      ...(stopReason === undefined ? {} : { stopReason }),
      ...(endTurn ? { endTurn } : {}),
    };
  }
}

function thinking(part: JsonObject): ModelBody {
  const signature = signatureOf(part);
  const redacted = objectOf(objectOf(part["metadata"])?.["anthropic"])?.["redactedData"];
  return compact<Extract<EventBody, { type: "thinking" }>>({
    type: "thinking",
    content: textOf(part),
    signature: signature ?? asString(redacted),
    redacted: typeof redacted === "string" ? true : undefined,
  });
}

function signatureOf(part: JsonObject): string | undefined {
  const metadata = objectOf(part["metadata"]);
  return asString(objectOf(metadata?.["anthropic"])?.["signature"]);
}

function errorEvent(error: JsonObject): EventBody {
  const name = asString(error["name"]) ?? "Error";
  const message = asString(objectOf(error["data"])?.["message"]);
  const content = message === undefined ? name : `${name}: ${message}`;
  return { type: "assistant", content, synthetic: true, stopReason: "error" };
}

/** Whether the program skips the message on resume: it failed, unless it was stopped with something said. */
export function isSkipped(native: NativeMessage): boolean {
  if (native.parts.length === 0) return true;
  const error = objectOf(native.info["error"]);
  if (error === undefined) return false;
  const hasContent = native.parts.some(
    (part) => part["type"] !== "step-start" && part["type"] !== "reasoning",
  );
  return !(error["name"] === "MessageAbortedError" && hasContent);
}
