import { readSync } from "node:fs";
import { limits } from "../../base/limits.ts";
import { newline } from "../../jsonl/line.ts";
import type { Relation, SessionHead } from "../../model/head.ts";
import { isContextText } from "./context-items.ts";
import { lineKind, type Slice, sliceOf, stringField } from "./field.ts";

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
const steps = [3, 16, 32, 64].map((times) => times * limits.headBytes);
const buffer = Buffer.allocUnsafe(steps.at(-1)!);

/** Reads the start of an open file, only as far as needed to find the first prompt. */
export function readStart(fd: number, options: { readonly wantsPrompt: boolean }): StartFacts {
  let taken = 0;
  for (const step of steps) {
    taken += readSync(fd, buffer, taken, step - taken, taken);
    const facts = factsOf(buffer.subarray(0, taken), options.wantsPrompt);
    const found = facts.complete && (facts.prompt !== undefined || !options.wantsPrompt);
    if (found || taken < step || step === steps.at(-1)) return facts;
  }
  return factsOf(buffer.subarray(0, taken), options.wantsPrompt);
}

function factsOf(bytes: Buffer, wantsPrompt: boolean): StartFacts & { readonly complete: boolean } {
  const firstEnd = bytes.indexOf(newline);
  const metaEnd = firstEnd < 0 ? bytes.length : firstEnd;
  let prompt: string | undefined;
  let model: string | undefined;
  let marksTurns = false;
  let start = metaEnd + 1;
  while (start < bytes.length && (wantsPrompt || model === undefined)) {
    const found = bytes.indexOf(newline, start);
    const end = found < 0 ? bytes.length : found;
    const kind = lineKind(bytes, start, end);
    if (kind?.inner === "task_started") marksTurns = true;
    else if (kind?.type === "turn_context") model ??= modelOf(bytes, start, end);
    else if (wantsPrompt && kind?.type === "event_msg") {
      prompt = promptOf(bytes, { start, end, inner: kind.inner });
      if (prompt !== undefined) break;
    }
    start = end + 1;
  }
  const fields = metaFields(bytes, metaEnd);
  return { empty: bytes.length === 0, fields, prompt, model, marksTurns, complete: firstEnd >= 0 };
}

/** The model a turn's settings name. */
export function modelOf(bytes: Buffer, start: number, end: number): string | undefined {
  return stringField(sliceOf(bytes, start, end), "model", { maxBytes: 200 });
}

/** A prompt as the events say it that Codex makes its own lists of. */
function promptOf(
  bytes: Buffer,
  line: { readonly start: number; readonly end: number; readonly inner: string },
): string | undefined {
  if (line.inner !== "user_message" && line.inner !== "item_completed") return undefined;
  const maxBytes = 8 * limits.titleChars;
  const slice = sliceOf(bytes, line.start, Math.min(line.end, line.start + 2 * maxBytes));
  const isUser =
    line.inner === "user_message" || slice.text.includes('"item":{"type":"UserMessage"');
  if (!isUser) return undefined;
  const text = stringField(slice, line.inner === "user_message" ? "message" : "text", { maxBytes });
  return text === undefined || text.trim() === "" || isContextText(text) ? undefined : text;
}

/** The short fields stand before the system prompt, git's behind it, at the end of the line. */
const shortFieldsBytes = 4096;
const gitBytes = 600;

function metaFields(bytes: Buffer, end: number): Partial<SessionHead> {
  const whole = sliceOf(bytes, 0, Math.min(end, shortFieldsBytes));
  const long = whole.text.indexOf('"base_instructions":');
  const slice = long < 0 ? whole : { ...whole, text: whole.text.slice(0, long) };
  if (!slice.text.includes('"type":"session_meta"')) {
    return { problem: "The file does not begin with session metadata." };
  }
  const from = Math.max(0, slice.text.indexOf('"payload":{'));
  const cwd = stringField(slice, "cwd", { from });
  const version = stringField(slice, "version", { from });
  const createdAt = stringField(slice, "timestamp", { from }) ?? stringField(slice, "timestamp");
  const git = gitOf(sliceOf(bytes, end - gitBytes, end)) ?? gitOf(whole);
  const relation = relationOf(slice);
  return {
    ...(cwd !== undefined && { cwd }),
    ...(version !== undefined && { version }),
    ...(createdAt !== undefined && { createdAt }),
    ...(git !== undefined && { git }),
    ...(relation !== undefined && { relation }),
  };
}

function gitOf(slice: Slice): SessionHead["git"] {
  const from = slice.text.indexOf('"git":{');
  if (from < 0) return undefined;
  const branch = stringField(slice, "branch", { from });
  const commit = stringField(slice, "commit", { from });
  const remote = stringField(slice, "remote", { from });
  if (branch === undefined && commit === undefined && remote === undefined) return undefined;
  return {
    ...(branch !== undefined && { branch }),
    ...(commit !== undefined && { commit }),
    ...(remote !== undefined && { remote }),
  };
}

function relationOf(slice: Slice): Relation | undefined {
  const parent = stringField(slice, "parent");
  if (parent !== undefined) return { kind: "subagent", session: parent };
  const session = stringField(slice, "forkedFrom");
  if (session === undefined) return undefined;
  const shared = /"forked_from_ordinal_exclusive":(\d{1,15})/.exec(slice.text);
  return { kind: "fork", session, ...(shared !== null && { event: shared[1]! }) };
}
