import { folderExists } from "../../base/folders.ts";
import { asNumber, asString, isObject, type JsonObject } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";
import { recordOf, stringAfter, windowText } from "../../jsonl/text-window.ts";
import type { Relation, SessionHead } from "../../model/head.ts";
import { isContextText } from "./context-items.ts";
import { lineKind } from "./field.ts";
import { gitOf } from "./git.ts";

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
const steps = [3, 16, 64].map((times) => times * limits.headBytes);

/** Reads the start of an open file, only as far as needed to find the first prompt. */
export function readStart(fd: number, options: { readonly wantsPrompt: boolean }): StartFacts {
  let facts: StartFacts | undefined;
  for (const bytes of steps) {
    const text = windowText(fd, { at: 0, bytes });
    const found = factsOf(text, options.wantsPrompt);
    facts = found;
    if (text.length < bytes) break;
    if (found.complete && (found.prompt !== undefined || !options.wantsPrompt)) break;
  }
  return facts!;
}

function factsOf(text: string, wantsPrompt: boolean): StartFacts & { readonly complete: boolean } {
  const firstEnd = text.indexOf("\n");
  const metaEnd = firstEnd < 0 ? text.length : firstEnd;
  let prompt: string | undefined;
  let model: string | undefined;
  let marksTurns = false;
  let start = metaEnd + 1;
  while (start < text.length && (wantsPrompt || model === undefined)) {
    const found = text.indexOf("\n", start);
    const end = found < 0 ? text.length : found;
    const kind = lineKind(text, start);
    if (kind?.inner === "task_started") marksTurns = true;
    else if (kind?.type === "turn_context") model ??= modelIn(text, start, end);
    else if (wantsPrompt && kind?.type === "event_msg") {
      prompt = promptOf(text, { start, end, inner: kind.inner });
      if (prompt !== undefined) break;
    }
    start = end + 1;
  }
  const fields = metaFields(text, metaEnd);
  return { empty: text === "", fields, prompt, model, marksTurns, complete: firstEnd >= 0 };
}

/** The model a turn's settings name. */
export function modelIn(text: string, from: number, before: number): string | undefined {
  return stringAfter(text, '"model":"', { from, before, most: 200 });
}

const userMessage = '"item":{"type":"UserMessage"';

/** A prompt as the events say it that Codex makes its own lists of. */
function promptOf(
  text: string,
  line: { readonly start: number; readonly end: number; readonly inner: string },
): string | undefined {
  const range = { from: line.start, before: line.end, most: 8 * limits.titleChars };
  let said: string | undefined;
  if (line.inner === "user_message") said = stringAfter(text, '"message":"', range);
  else if (line.inner === "item_completed") {
    const at = text.indexOf(userMessage, line.start);
    if (at >= 0 && at < line.end) said = stringAfter(text, '"text":"', { ...range, from: at });
  }
  return said === undefined || said.trim() === "" || isContextText(said) ? undefined : said;
}

/** The short fields stand before the system prompt, git's behind it, at the end of the line. */
const shortFieldsBytes = 4096;
const gitBytes = 600;
const longFields = [',"base_instructions":', ',"instructions":'] as const;

/** The first line's fields: what stands before its long text is parsed as if the rest were not there. */
function metaFields(text: string, end: number): Partial<SessionHead> {
  const start = text.slice(0, Math.min(end, shortFieldsBytes));
  const cuts = longFields.map((key) => start.indexOf(key)).filter((at) => at >= 0);
  const cut = Math.min(...cuts);
  const line = recordOf(cuts.length === 0 ? start : `${start.slice(0, cut)}}}`);
  const payload = line?.["type"] === "session_meta" ? line["payload"] : undefined;
  if (!isObject(payload)) return { problem: "The file does not begin with session metadata." };
  const fields: { -readonly [Key in keyof SessionHead]?: SessionHead[Key] } = {};
  const cwd = asString(payload["cwd"]);
  const version = asString(payload["cli_version"]);
  const createdAt = asString(payload["timestamp"]) ?? asString(line?.["timestamp"]);
  const git = isObject(payload["git"]) ? payload["git"] : gitAtEnd(text, end);
  const relation = relationOf(payload);
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

function gitAtEnd(text: string, lineEnd: number): JsonObject | undefined {
  const end = text.slice(Math.max(0, lineEnd - gitBytes), lineEnd);
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
