import { asString, isObject, type JsonObject, parseObject } from "../../../base/json.ts";
import { limits } from "../../../base/limits.ts";
import { lineStarts, recordOf } from "../../../jsonl/text-window.ts";
import type { SessionState } from "../../../model/head.ts";
import { isTitleType, namesHere, syntheticModel, titleTypes } from "../record-types.ts";
import { field } from "./fields.ts";

/** What the end of a transcript says. */
export interface EndFacts {
  readonly state: SessionState;
  readonly titles: ReadonlyMap<string, JsonObject>;
  readonly cost: JsonObject | undefined;
  readonly model: string | undefined;
  /** The last record of the conversation, perhaps without its beginning; empty where there is none. */
  readonly last: string;
}

/** Reads the end; `longer` gives more of it where the last record is long and nothing else helps. */
export function readEnd(tail: string, longer: (bytes: number) => string | undefined): EndFacts {
  const found = factsOf(tail);
  if (found.state !== "unknown") return found;
  const more = longer(limits.tailBytes * 16);
  return more === undefined ? found : factsOf(more);
}

function factsOf(tail: string): EndFacts {
  const starts = lineStarts(tail);
  let end = tail.endsWith("\n") ? tail.length - 1 : tail.length;
  let cost: JsonObject | undefined;
  let turn: "done" | "open" | undefined;
  let last = "";
  let model: string | undefined;
  for (
    let at = starts.length - 1;
    at >= 0 && (turn === undefined || model === undefined);
    at -= 1
  ) {
    const start = starts[at]!;
    if (start > end) continue;
    const isMetadata = (at > 0 || start === 0) && tail.startsWith('{"type":"', start);
    const text = tail.slice(start, end);
    end = start - 1;
    if (isMetadata) {
      // Only a cost written after the last message was written at the end.
      const isCost = turn === undefined && text.startsWith("cost-state", 9);
      if (isCost) cost ??= parseObject(text);
      if (!text.startsWith('user"', 9) && !text.startsWith('assistant"', 9)) continue;
    }
    if (last === "" && text.includes('uuid":')) last = text;
    const speaker = speakerOf(text);
    if (speaker === undefined) continue;
    turn ??= speaker === "assistant" ? answerTurn(text) : userTurn(text);
    if (speaker === "assistant") model ??= modelIn(text);
    else if (cost !== undefined) model ??= costModel(cost);
  }
  model ??= costModel(cost);
  const titles = titlesIn(tail, starts);
  return { state: stateOf(turn, cost !== undefined), titles, cost, model, last };
}

// Two letters tell nearly all other records apart; the rest is parsed and then told apart.
const titleBeginnings: ReadonlySet<string> = new Set(titleTypes.map((type) => type.slice(0, 2)));

/** The newest records of each kind that name the session. */
function titlesIn(tail: string, starts: readonly number[]): ReadonlyMap<string, JsonObject> {
  const titles = new Map<string, JsonObject>();
  for (const start of starts) {
    if (!tail.startsWith('{"type":"', start)) continue;
    if (!titleBeginnings.has(tail.slice(start + 9, start + 11))) continue;
    const end = tail.indexOf("\n", start);
    const record = recordOf(end < 0 ? tail.slice(start) : tail.slice(start, end));
    const type = asString(record?.["type"]) ?? "";
    if (record !== undefined && isTitleType(type) && namesHere(record, tail)) {
      titles.set(type, record);
    }
  }
  return titles;
}

/** The program writes its costs when it ends; a turn left open says that it ended too early. */
function stateOf(turn: "done" | "open" | undefined, closed: boolean): SessionState {
  if (turn === "open") return "interrupted";
  if (closed) return "ended";
  return turn === "done" ? "waiting" : "unknown";
}

function speakerOf(text: string): "assistant" | "user" | undefined {
  // The program writes an answer's type behind the answer.
  if (text.slice(-600).includes('type":"assistant"')) return "assistant";
  if (text.includes('type":"user"')) return "user";
  if (text.startsWith('{"parentUuid":')) {
    return text.includes('type":"assistant"') ? "assistant" : undefined;
  }
  // Perhaps written by somebody else, with fields in another order and blanks behind the colons.
  const found = /"type": ?"(user|assistant)"/.exec(text)?.[1];
  return found === "user" || found === "assistant" ? found : undefined;
}

/** A call that asks the user something: a question, or whether a plan is good. */
const asking = /"tool_use", ?"id": ?"[^"]*", ?"name": ?"(?:AskUserQuestion|ExitPlanMode)"/;

function answerTurn(text: string): "done" | "open" {
  if (text.includes('AbortedMidStream":true')) return "open";
  return text.includes('"tool_use"') && !asking.test(text) ? "open" : "done";
}

/** Undefined where the program said it and not the user. */
function userTurn(text: string): "done" | "open" | undefined {
  // What the program says after a command, or after compacting, leaves nothing open.
  if (text.includes('CompactSummary":true')) return "done";
  if (text.includes("<local-command-std")) return "done";
  return text.includes('Meta":true') ? undefined : "open";
}

function modelIn(text: string): string | undefined {
  const model = field(text, "model");
  return model === undefined || model === syntheticModel ? undefined : model;
}

function costModel(cost: JsonObject | undefined): string | undefined {
  const models = cost?.["modelUsage"];
  return isObject(models) ? Object.keys(models).at(-1) : undefined;
}
