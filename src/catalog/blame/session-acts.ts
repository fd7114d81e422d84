import type { AgentEvent } from "../../agents/contract.ts";
import { timeOf } from "../../base/clock.ts";
import { asString, isObject, type JsonObject } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";
import { plainText } from "../../model/block.ts";
import type { FileEvent, ToolResultEvent } from "../../model/event.ts";
import { isPrompt } from "../../model/prompt.ts";
import { oneLine } from "../../model/text.ts";
import type { ToolDialect } from "../../model/tool-dialect.ts";
import { callActs } from "./call-acts.ts";
import type { Change, FileAct } from "./file-act.ts";
import { patchActs } from "./patch.ts";
import { searchReplaceActs } from "./search-replace.ts";

/** How a tool call went; `unanswered` where nobody knows, because its result is missing. */
export type Outcome = "done" | "failed" | "unanswered";

/** One thing a session did with one file, with its place in the session. */
export interface SessionAct extends FileAct {
  /** The event that can be opened: the call, or the answer that proposed the edit. */
  readonly event: string;
  /** When its result came, which is when it was done. */
  readonly atMs?: number;
  /** When it was called. */
  readonly askedMs?: number;
  readonly outcome: Outcome;
  /** The first words of what the person asked for. */
  readonly prompt?: string;
  /** The prompt's own event. */
  readonly promptEvent?: string;
  /** Where the session ran at that time. */
  readonly cwd?: string;
  /** The agent's id of the call: copies of one call in several sessions share it. */
  readonly call?: string;
  /** The file as it was before and after, where the result says it. */
  readonly textBefore?: string;
  readonly textAfter?: string;
}

interface Asked {
  readonly call: string;
  readonly event: string;
  readonly atMs: number | undefined;
  readonly acts: readonly FileAct[];
  readonly prompt: Prompt | undefined;
  readonly cwd: string | undefined;
}

/** The first words of a prompt, and its event. */
interface Prompt {
  readonly said: string;
  readonly event: string;
}

/** What the acts of a session are found with. */
export interface ActOptions {
  readonly dialects: readonly ToolDialect[];
  readonly cwd?: string | undefined;
}

/** What a session did with files, in the order the results came; a call without a result comes last. */
export async function* sessionActs(
  events: AsyncIterable<AgentEvent>,
  options: ActOptions,
): AsyncGenerator<SessionAct> {
  const open = new Map<string, Asked>();
  const prompts = new Map<string, Prompt>();
  /** What the model proposed for a file and nobody confirmed yet, by its path. */
  const proposed = new Map<string, Asked>();
  let cwd = options.cwd;
  let atMs: number | undefined;
  for await (const event of events) {
    const { body } = event;
    atMs = timeOf(event.at) ?? atMs;
    const prompt = prompts.get(event.sidechain ?? "") ?? prompts.get("");
    const place = { event: event.number, atMs, prompt, cwd };
    switch (body.type) {
      case "session_start":
      case "meta":
        cwd = body.cwd ?? cwd;
        break;
      case "user": {
        const said = isPrompt(body) ? oneLine(plainText(body.content), limits.promptChars) : "";
        if (said !== "") prompts.set(event.sidechain ?? "", { said, event: event.number });
        proposed.clear();
        break;
      }
      case "assistant": {
        const found = searchReplaceActs(plainText(body.content));
        for (const path of new Set(found.map((act) => act.path))) {
          const acts = found.filter((act) => act.path === path);
          proposed.set(path, { ...place, call: "", acts });
        }
        break;
      }
      case "tool_use": {
        const acts = callActs(body, options.dialects);
        if (acts.length === 0) break;
        open.set(body.call, { ...place, call: body.call, acts });
        if (open.size > limits.openToolCalls) open.delete(open.keys().next().value!);
        break;
      }
      case "tool_result": {
        const asked = open.get(body.call);
        if (asked === undefined) break;
        open.delete(body.call);
        yield* answered(asked, body, atMs);
        break;
      }
      case "file": {
        const confirmed = proposed.get(body.path);
        proposed.delete(body.path);
        const { acts, ...asked } = confirmed ?? { ...place, call: "", acts: fileActs(body) };
        yield* acts.map((act) => actOf(act, asked, { outcome: "done", atMs }));
        break;
      }
      default:
        break;
    }
  }
  for (const asked of open.values()) {
    yield* asked.acts.map((act) => actOf(act, asked, { outcome: "unanswered", atMs: asked.atMs }));
  }
}

function actOf(
  act: FileAct,
  { call, event, prompt, cwd, atMs: askedMs }: Omit<Asked, "acts">,
  result: { readonly outcome: Outcome; readonly atMs: number | undefined },
): SessionAct {
  return {
    ...act,
    event,
    outcome: result.outcome,
    ...(result.atMs !== undefined && { atMs: result.atMs }),
    ...(askedMs !== undefined && { askedMs }),
    ...(prompt !== undefined && { prompt: prompt.said, promptEvent: prompt.event }),
    ...(cwd !== undefined && { cwd }),
    ...(call !== "" && { call }),
  };
}

function answered(
  asked: Asked,
  result: ToolResultEvent,
  atMs: number | undefined,
): readonly SessionAct[] {
  const outcome: Outcome = isFailure(result) ? "failed" : "done";
  const acts = asked.acts.map((act) => actOf(act, asked, { outcome, atMs: atMs ?? asked.atMs }));
  const [only] = acts;
  if (only === undefined || acts.length > 1 || outcome === "failed") return acts;
  return [{ ...only, ...appliedIn(result.details, only.changes), ...textsIn(result.details) }];
}

/** Words a tool says instead of an error flag. */
const failureWords =
  /^(?:error\b|apply_patch verification failed|verification failed|patch rejected|failed to\b|invalid patch)/i;

/** Whether the call changed nothing. */
export function isFailure({ isError, details, content }: ToolResultEvent): boolean {
  if (isError === true) return true;
  const status = isObject(details) ? details["status"] : undefined;
  if (status === "error" || status === "cancelled") return true;
  return typeof content === "string" && failureWords.test(content.slice(0, 200));
}

/** The replacement that was made, where the result says it: a person may have changed the proposal. */
function appliedIn(
  details: unknown,
  changes: readonly Change[],
): { readonly changes?: readonly Change[] } {
  if (!isObject(details) || changes.length !== 1) return {};
  const [change] = changes;
  const before = asString(details["oldString"]);
  const after = asString(details["newString"]);
  if (change?.kind !== "replace" || !before || after === undefined) return {};
  return { changes: [{ kind: "replace", before, after, all: change.all }] };
}

/** The whole file before and after an edit, in the agents' own words for it. */
function textsIn(details: unknown): Pick<SessionAct, "textBefore" | "textAfter"> {
  if (!isObject(details)) return {};
  const metadata = within(details, "metadata");
  const shown = within(details, "resultDisplay");
  const diff = within(metadata, "filediff");
  const before =
    asString(details["originalFile"]) ??
    asString(details["original_file"]) ??
    asString(shown["originalContent"]) ??
    asString(diff["before"]);
  const after =
    asString(details["updated_file"]) ?? asString(shown["newContent"]) ?? asString(diff["after"]);
  return {
    ...(before !== undefined && { textBefore: before }),
    ...(after !== undefined && { textAfter: after }),
  };
}

function within(object: JsonObject, key: string): JsonObject {
  const value = object[key];
  return isObject(value) ? value : {};
}

/** What a `file` event of the native log says; its data may hold the content, a replacement or a patch. */
function fileActs({ path, action, data }: FileEvent): readonly FileAct[] {
  const facts = isObject(data) ? data : {};
  const content = asString(facts["content"]);
  const before = asString(facts["before"]);
  const after = asString(facts["after"]);
  const patch = asString(facts["patch"]);
  if (action === "deleted") return [{ path, action, changes: [{ kind: "delete" }] }];
  if (action === "read") return [{ path, action, changes: [] }];
  if (content !== undefined) return [{ path, action, changes: [{ kind: "write", content }] }];
  if (before && after !== undefined) {
    return [{ path, action, changes: [{ kind: "replace", before, after, all: false }] }];
  }
  const patched = patch === undefined ? [] : patchActs(patch);
  return patched.length > 0 ? patched : [{ path, action, changes: [] }];
}
