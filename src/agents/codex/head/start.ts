import { folderExists } from "../../../base/folders.ts";
import { asNumber, asString, isObject, type JsonObject } from "../../../base/json.ts";
import { limits } from "../../../base/limits.ts";
import { newline } from "../../../jsonl/line.ts";
import { recordOf, shared, stringAfter, windowBytes } from "../../../jsonl/text-window.ts";
import type { Relation, SessionHead } from "../../../model/head.ts";
import { titleOfPrompt } from "../../../model/title.ts";
import { withoutMarks } from "../../../model/unseen-mark.ts";
import { gitOf } from "../record-types.ts";
import { isProgramText, isRan } from "../typed-text.ts";
import { lineKind } from "./fields.ts";

/** What the first records of a file tell. */
export interface StartFacts {
  readonly empty: boolean;
  readonly fields: Partial<SessionHead>;
  readonly prompt: string | undefined;
  readonly model: string | undefined;
  /** Turns are marked where they begin and end. */
  readonly marksTurns: boolean;
}

/**
 * How far a start is read, step by step: the first is enough where the system prompt is short or kept
 * elsewhere; behind a long one come its context items, then the first prompt.
 */
const steps = [1, 12, 64].map((times) => times * limits.headBytes);

/** Reads the start of an open file, only as far as needed to find the first prompt. */
export function readStart(fd: number, options: { readonly wantsPrompt: boolean }): StartFacts {
  for (let step = 0; ; step += 1) {
    const bytes = steps[step]!;
    const window = windowBytes(fd, { at: 0, bytes });
    const facts = factsOf(window, options.wantsPrompt);
    const isFound = facts.complete && (facts.prompt !== undefined || !options.wantsPrompt);
    const isLast = window.length < bytes || step === steps.length - 1;
    if (isFound || isLast) return facts;
  }
}

function factsOf(
  window: Buffer,
  wantsPrompt: boolean,
): StartFacts & { readonly complete: boolean } {
  const firstEnd = window.indexOf(newline);
  const metaEnd = firstEnd < 0 ? window.length : firstEnd;
  let prompt: string | undefined;
  let model: string | undefined;
  let marksTurns = false;
  let start = metaEnd + 1;
  while (start < window.length && (wantsPrompt || model === undefined)) {
    const found = window.indexOf(newline, start);
    const end = found < 0 ? window.length : found;
    // Most lines are long, and their first bytes tell that nobody asks for them.
    const kind = lineKind(latin1(window, start, Math.min(end, start + kindBytes)), 0);
    if (kind?.inner === "task_started") marksTurns = true;
    else if (kind?.type === "turn_context") model ??= modelIn(latin1(window, start, end));
    else if (wantsPrompt && kind?.type === "event_msg") {
      prompt = promptOf(window, { start, end, inner: kind.inner });
      if (prompt !== undefined) break;
    }
    start = end + 1;
  }
  const fields = metaFields(window, metaEnd);
  const empty = window.length === 0;
  return { empty, fields, prompt, model, marksTurns, complete: firstEnd >= 0 };
}

const kindBytes = 240;

function latin1(window: Buffer, start: number, end: number): string {
  return window.toString("latin1", start, end);
}

/** The model a turn's settings name. */
export function modelIn(line: string): string | undefined {
  const model = stringAfter(line, '"model":"', { most: 200 });
  return model === undefined ? undefined : shared(model);
}

const userMessage = '"item":{"type":"UserMessage"';

/** A prompt as the events say it that Codex makes its own lists of. */
function promptOf(
  window: Buffer,
  line: { readonly start: number; readonly end: number; readonly inner: string },
): string | undefined {
  const { inner } = line;
  if (inner !== "user_message" && inner !== "item_completed") return undefined;
  const text = latin1(window, line.start, line.end);
  const range = { most: 8 * limits.titleChars };
  let said: string | undefined;
  if (inner === "user_message") said = stringAfter(text, '"message":"', range);
  else {
    const from = text.indexOf(userMessage);
    if (from >= 0) said = stringAfter(text, '"text":"', { ...range, from });
  }
  if (said === undefined || isProgramText(said) || isRan(said)) return undefined;
  // A mark is for readers of the conversation; the end that it is reported by may be cut off here.
  const title = titleOfPrompt(withoutMarks(said));
  return title === "" ? undefined : title;
}

/** The short fields stand before the system prompt, git's behind it, at the end of the line. */
const shortFieldsBytes = 4096;
const gitBytes = 600;
const longFields = [',"base_instructions":', ',"instructions":'] as const;

/** The first line: what stands before its long text is parsed as if the rest were not there. */
function firstRecord(window: Buffer, end: number): JsonObject | undefined {
  const start = latin1(window, 0, Math.min(end, shortFieldsBytes));
  const cut = cutOf(start);
  return recordOf(cut < 0 ? start : `${start.slice(0, cut)}}}`);
}

function payloadOf(line: JsonObject | undefined): JsonObject | undefined {
  const payload = line?.["type"] === "session_meta" ? line["payload"] : undefined;
  return isObject(payload) ? payload : undefined;
}

/** Where the session ran and for whom, by as few bytes as tell it. */
export function readOrigin(fd: number): {
  readonly empty: boolean;
  readonly cwd: string | undefined;
  readonly relation: Relation | undefined;
} {
  const window = windowBytes(fd, { at: 0, bytes: shortFieldsBytes });
  const end = window.indexOf(newline);
  const payload = payloadOf(firstRecord(window, end < 0 ? window.length : end));
  const relation = payload === undefined ? undefined : relationOf(payload);
  return { empty: window.length === 0, cwd: asString(payload?.["cwd"]), relation };
}

function metaFields(window: Buffer, end: number): Partial<SessionHead> {
  const line = firstRecord(window, end);
  const payload = payloadOf(line);
  if (payload === undefined) return { problem: "The file does not begin with session metadata." };
  const fields: { -readonly [Key in keyof SessionHead]?: SessionHead[Key] } = {};
  const cwd = asString(payload["cwd"]);
  const version = asString(payload["cli_version"]);
  const createdAt = asString(payload["timestamp"]) ?? asString(line?.["timestamp"]);
  const git = isObject(payload["git"])
    ? payload["git"]
    : gitAtEnd(latin1(window, Math.max(0, end - gitBytes), end));
  const relation = relationOf(payload);
  // What we write has no turn's settings, which would name it.
  const model = asString(payload["reprise_model"]);
  if (model !== undefined) fields.model = model;
  if (cwd !== undefined) {
    fields.cwd = cwd;
    fields.cwdExists = folderExists(cwd);
  }
  if (version !== undefined) fields.version = version;
  if (createdAt !== undefined) fields.createdAt = createdAt;
  if (git !== undefined) fields.git = gitOf(git);
  if (relation !== undefined) fields.relation = relation;
  return fields;
}

/** Where the first of the long fields begins; negative where there is none. */
function cutOf(start: string): number {
  let cut = -1;
  for (const key of longFields) {
    const at = start.indexOf(key);
    if (at >= 0 && (cut < 0 || at < cut)) cut = at;
  }
  return cut;
}

function gitAtEnd(end: string): JsonObject | undefined {
  const at = end.indexOf('"git":{');
  // Behind git's object only the payload and the record close.
  const git = at < 0 ? undefined : recordOf(`{${end.slice(at, -1)}`)?.["git"];
  return isObject(git) ? git : undefined;
}

function relationOf(payload: JsonObject): Relation | undefined {
  const parent = asString(payload["parent_thread_id"]) ?? spawnedBy(payload["source"]);
  if (parent !== undefined) return { kind: "subagent", session: parent };
  const session = asString(payload["forked_from_id"]);
  if (session === undefined) return undefined;
  const shared = asNumber(payload["forked_from_ordinal_exclusive"]);
  return { kind: "fork", session, ...(shared !== undefined && { event: String(shared) }) };
}

/** Older versions name the parent only where they say how the thread came to be. */
function spawnedBy(source: unknown): string | undefined {
  const subagent = isObject(source) ? source["subagent"] : undefined;
  const spawn = isObject(subagent) ? subagent["thread_spawn"] : undefined;
  return isObject(spawn) ? asString(spawn["parent_thread_id"]) : undefined;
}
