import { isObject } from "../base/json.ts";
import { limits } from "../base/limits.ts";
import { type Content, plainText } from "../model/block.ts";
import type { EventBody, ToolResultEvent } from "../model/event.ts";
import type { Approvals } from "./approval.ts";
import { wrongInput } from "./check-input.ts";
import { untilAborted } from "./interrupt.ts";
import type { OpenCall } from "./open-calls.ts";
import type { AgentTool, ToolAnswer } from "./tool.ts";

/** What a call needs to be answered. */
export interface CallSetting {
  readonly tools: readonly AgentTool[];
  readonly approvals: Approvals;
  readonly signal: AbortSignal;
  /** Writes what was decided, before anything runs. */
  record(event: EventBody): Promise<unknown>;
}

/** Answers one call: whatever the model asked for and whatever the tool does, there is one result. */
export async function answerCall(
  open: OpenCall,
  { tools, approvals, signal, record }: CallSetting,
): Promise<ToolResultEvent> {
  const { call, name, input } = open;
  const answered = (answer: ToolAnswer): ToolResultEvent => resultOf(open, answer);
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool === undefined) return answered(unknownTool(name, tools));
  const wrong = wrongInput(input, tool.parameters);
  if (wrong !== undefined || !isObject(input)) return answered(failed(wrong ?? "Wrong input."));
  if (signal.aborted) return answered(stopped);
  try {
    const request = { call, tool, input, signal };
    const decided = await untilAborted(approvals.decide(request), signal);
    if (decided !== undefined) await record(decided);
    if (decided?.decision === "denied") return answered(denied(decided.reason));
    return answered(await ran(tool, { input, call, signal }));
  } catch (error) {
    if (signal.aborted) return answered(stopped);
    return answered(failed(error instanceof Error ? error.message : String(error)));
  }
}

/** What a call gets that is not run because the turn was stopped. */
export function stoppedResult(open: OpenCall): ToolResultEvent {
  return resultOf(open, stopped);
}

async function ran(
  tool: AgentTool,
  {
    input,
    call,
    signal,
  }: { readonly call: string; readonly signal: AbortSignal } & {
    readonly input: Parameters<AgentTool["run"]>[0];
  },
): Promise<ToolAnswer> {
  const timeoutMs = tool.timeoutMs ?? limits.toolRunMs;
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), timeoutMs);
  const either = AbortSignal.any([signal, late.signal]);
  try {
    // A tool may throw before it returns a promise.
    const work = (async () => tool.run(input, { call, signal: either }))();
    const answer = await untilAborted(work, either);
    return typeof answer === "string" ? { content: answer } : answer;
  } catch (error) {
    if (!signal.aborted && late.signal.aborted)
      return failed(`It was stopped after ${Math.round(timeoutMs / 1000)} seconds.`);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function resultOf({ call, name }: OpenCall, answer: ToolAnswer): ToolResultEvent {
  const { isError, details } = answer;
  return {
    type: "tool_result",
    call,
    name,
    content: bounded(answer.content),
    ...(isError === true && { isError }),
    ...(details !== undefined && { details }),
  };
}

/** An answer that is no longer than a model can use: of a longer text the beginning and the end stay. */
function bounded(content: Content): Content {
  const most = limits.toolResultChars;
  if (typeof content === "string") return middleCut(content, most);
  const text = plainText(content);
  return text.length <= most ? content : middleCut(text, most);
}

/** A text without its middle if it is too long; what is missing is said. */
export function middleCut(text: string, mostChars: number): string {
  if (text.length <= mostChars) return text;
  const half = Math.floor(mostChars / 2);
  const gone = text.length - 2 * half;
  const head = text.slice(0, half).toWellFormed();
  return `${head}\n… ${gone} characters left out …\n${text.slice(-half).toWellFormed()}`;
}

const stopped: ToolAnswer = { content: "Stopped by the user.", isError: true };

function failed(why: string): ToolAnswer {
  return { content: why === "" ? "It failed." : why, isError: true };
}

function denied(reason: string | undefined): ToolAnswer {
  return failed(
    reason === undefined ? "The user did not allow it." : `The user did not allow it: ${reason}`,
  );
}

function unknownTool(name: string, tools: readonly AgentTool[]): ToolAnswer {
  const names = tools.map((tool) => tool.name).join(", ");
  const known = names === "" ? "There are no tools." : `The tools are: ${names}.`;
  return failed(`There is no tool ${JSON.stringify(name.slice(0, 100))}. ${known}`);
}
