import type { AgentEvent } from "../../../agents/contract.ts";
import { limits } from "../../../base/limits.ts";
import { type Block, blocksOf, type Content } from "../../../model/block.ts";
import type { EventBody, ToolUseEvent } from "../../../model/event.ts";
import type { SessionHead } from "../../../model/head.ts";
import { isPrompt } from "../../../model/prompt.ts";
import { oneLine } from "../../../model/text.ts";
import { changesOf, type FileChange } from "./edit-diff.ts";
import { jsonText } from "./json-text.ts";
import { toolSubject } from "./tool-header.ts";

/** How much a transcript shows. */
export interface ViewOptions {
  readonly tools: "full" | "short" | "none";
  readonly thinking: boolean;
  /** What the reader knows already: paths are shown from this folder, and only changes are reported. */
  readonly known?: Pick<SessionHead, "title" | "cwd" | "git" | "model">;
}

/** An event; a result perhaps with what the call was about that it answers. */
export type AnsweringEvent = AgentEvent & { readonly answers?: string };

/** One event as every kind of transcript shows it, before it is text of any kind. */
export interface View {
  readonly number: string;
  readonly at?: string;
  readonly kind: "user" | "assistant" | "thinking" | "call" | "result" | "context" | "mark";
  /** Who speaks, or the tool's name. */
  readonly who: string;
  /** What a call is about, or the whole of a mark. */
  readonly subject?: string;
  /** What the call was about that a result answers, where that call does not stand directly above. */
  readonly answers?: string;
  readonly blocks: readonly Block[];
  readonly changes: readonly FileChange[];
  /** The whole input of a call, as indented JSON; only where tools are shown in full. */
  readonly input?: string;
  readonly isError: boolean;
  /** Long content is cut short. */
  readonly folds: boolean;
  readonly live: boolean;
  readonly sidechain?: string;
}

/**
 * Turns events into views one by one; remembers the open tool calls, so that a result is named. An event that was asked
 * for by its number always has a view, and a call that was asked for has its whole input.
 */
export function viewer(
  options: ViewOptions,
): (event: AnsweringEvent, isNamed?: boolean) => View | undefined {
  const openCalls = new Map<string, OpenCall>();
  let above: EventBody | undefined;
  const known: Known = {
    title: options.known?.title,
    cwd: options.known?.cwd,
    branch: options.known?.git?.branch,
    model: options.known?.model,
  };
  return (event, isNamed = false) => {
    const { body } = event;
    if (body.type === "tool_use" && openCalls.size < limits.openToolCalls)
      openCalls.set(body.call, { name: body.name, subject: toolSubject(body.input) });
    const memory = { openCalls, known };
    const isWhole = isNamed && body.type === "tool_use" && options.tools === "short";
    const shown = isWhole ? { ...options, tools: "full" as const } : options;
    const part = partOf(body, shown, memory) ?? (isNamed ? hiddenPart(body, memory) : undefined);
    const answers = answersOf(event, memory, above);
    if (body.type === "tool_result") openCalls.delete(body.call);
    if (part === undefined) return undefined;
    above = body;
    return {
      blocks: [],
      changes: [],
      isError: false,
      folds: false,
      ...part,
      ...(answers !== undefined && { answers }),
      ...(isToSubagent(event) && { who: toSubagent }),
      number: event.number,
      live: event.live,
      ...(event.at !== undefined && { at: event.at }),
      ...(event.sidechain !== undefined && { sidechain: event.sidechain }),
    };
  };
}

/** What the call was about that a result answers; undefined where that stands directly above, or is not known. */
function answersOf(
  { body, answers }: AnsweringEvent,
  { openCalls, known }: Memory,
  above: EventBody | undefined,
): string | undefined {
  if (body.type !== "tool_result") return undefined;
  if (above?.type === "tool_use" && above.call === body.call) return undefined;
  const subject = openCalls.get(body.call)?.subject ?? answers ?? "";
  return subject === "" ? undefined : oneLine(fromFolder(subject, known.cwd), answersChars);
}

/** Of what a call was about, behind its result. */
const answersChars = 80;

/** What stands in a subagent's part as a prompt was written by the agent that started it. */
function isToSubagent({ body, sidechain }: AgentEvent): boolean {
  return sidechain !== undefined && isPrompt(body) && body.author === undefined;
}

const toSubagent = "Agent to subagent";

/** Why an event is not among those that the model gets if the session goes on; undefined if it is. */
export function asideOf({ live, sidechain, who }: View): string | undefined {
  if (sidechain !== undefined) return who === toSubagent ? undefined : "subagent";
  return live ? undefined : "not in the context";
}

/** What was reported last, so that only a change is reported again. */
interface Known {
  readonly title: string | undefined;
  cwd: string | undefined;
  branch: string | undefined;
  model: string | undefined;
}

/** A call that was not answered yet. */
interface OpenCall {
  readonly name: string;
  readonly subject: string;
}

interface Memory {
  readonly openCalls: ReadonlyMap<string, OpenCall>;
  readonly known: Known;
}

type Part = Pick<View, "kind" | "who"> & Partial<View>;

const noText = "(no text)";

/** What a compaction left without a summary that can be read: its events are older than it, and in an order of their own. */
const compacted = "Compacted: here follows what the model kept, in its order, then what came later";

/** What is usually left out, or has nothing in it. */
function hiddenPart(body: EventBody, memory: Memory): Part {
  const whole = partOf(body, { tools: "full", thinking: true }, memory);
  return whole ?? mark([`${body.type.replaceAll("_", " ")} ${noText}`]);
}

function partOf(
  body: EventBody,
  options: ViewOptions,
  { openCalls, known }: Memory,
): Part | undefined {
  const folds = options.tools !== "full";
  switch (body.type) {
    case "user":
      if (body.injected) return said("context", "Injected", body.content, { folds });
      return said("user", body.author ?? (body.ran ? "You ran" : "You"), body.content);
    case "assistant": {
      const who = body.model ?? "Assistant";
      const answer = said("assistant", who, body.content, { isError: body.synthetic === true });
      // What ends a turn is its answer, also an empty one.
      return answer ?? (body.endTurn ? said("assistant", who, noText) : undefined);
    }
    case "thinking":
      if (!options.thinking) return undefined;
      return said("thinking", "Thinking", body.redacted ? "(kept by the provider)" : body.content);
    case "tool_use":
      return options.tools === "none" ? undefined : call(body, options, known.cwd);
    case "tool_result":
      if (options.tools === "none") return undefined;
      return said("result", body.name ?? openCalls.get(body.call)?.name ?? "result", body.content, {
        isError: body.isError === true,
        folds,
      });
    case "system":
      return said("context", "System", body.content, { folds });
    case "compaction":
      return (
        said("context", "Summary of what came before", body.summary, { folds }) ?? mark([compacted])
      );
    case "hook":
      if (body.content === undefined) return undefined;
      return said("context", `Hook ${body.event}`, body.content, { folds });
    case "plan":
      return said("context", "Plan", body.content);
    case "note":
      return said("context", "Note", body.content);
    case "agent":
      return mark(["Agent", body.name, body.status, body.to && `to ${body.to}`], body.content);
    case "session_start":
    case "file":
      return undefined;
    case "session_end":
      return mark(["Session ended", body.reason], body.summary);
    case "rewind":
      return mark([`Went back to event ${body.to} from ${body.from}`, body.reason]);
    case "checkpoint":
      return mark(["Checkpoint", body.label]);
    case "restore":
      return mark([`Files restored to checkpoint ${body.checkpoint}`]);
    case "meta":
      return metaMark(body, known);
    case "approval":
      return mark([`Permission: ${body.decision}`, body.scope, body.reason]);
    case "task":
      return mark(["Task", body.title ?? body.task, body.status]);
    case "subagent":
      return mark(["Subagent", body.name ?? body.session, body.status], body.summary);
    case "process":
      return mark(["Process", body.command ?? body.process, body.status]);
    case "recovered":
      return mark([`Mended: ${body.damaged} damaged, ${body.recovered} recovered`]);
    case "custom":
      return options.tools === "full" ? mark(["Record", body.name]) : undefined;
  }
}

function said(
  kind: View["kind"],
  who: string,
  content: Content,
  more: Partial<View> = {},
): Part | undefined {
  const blocks = blocksOf(content);
  // Models also answer with a line end alone, before a call.
  const isBlank = blocks.every((block) => block.type === "text" && block.text.trim() === "");
  if (isBlank && kind !== "result") return undefined;
  return { kind, who, blocks, ...more };
}

function call(body: ToolUseEvent, options: ViewOptions, cwd: string | undefined): Part {
  const changes = changesOf(body.name, body.input).map((change) => {
    return { ...change, path: fromFolder(change.path, cwd) };
  });
  return {
    kind: "call",
    who: body.name,
    subject: fromFolder(toolSubject(body.input), cwd),
    changes,
    folds: options.tools !== "full",
    ...(options.tools === "full" && changes.length === 0 && { input: jsonText(body.input, 2) }),
  };
}

function mark(words: readonly (string | undefined)[], content?: Content): Part {
  const subject = words.filter((word) => word !== undefined && word !== "").join(" · ");
  return { kind: "mark", who: "", subject, blocks: content === undefined ? [] : blocksOf(content) };
}

/** A path inside the project as people say it there. */
function fromFolder(text: string, cwd: string | undefined): string {
  return cwd !== undefined && text.startsWith(`${cwd}/`) ? text.slice(cwd.length + 1) : text;
}

function metaMark(
  body: Extract<EventBody, { readonly type: "meta" }>,
  known: Known,
): Part | undefined {
  if (body.repeated) return undefined;
  const words: string[] = [];
  if (typeof body.title === "string" && body.title !== known.title)
    words.push(`title: ${body.title}`);
  if (body.tags !== undefined) words.push(`tags: ${body.tags.join(", ")}`);
  const changed = { model: body.model, cwd: body.cwd, branch: body.git?.branch };
  for (const [key, says] of [
    ["model", "model"],
    ["cwd", "folder"],
    ["branch", "branch"],
  ] as const) {
    const value = changed[key];
    if (value === undefined || value === known[key]) continue;
    known[key] = value;
    words.push(`${says}: ${value}`);
  }
  return words.length === 0 ? undefined : mark(words);
}
