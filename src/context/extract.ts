import { asArray, asString, isObject } from "../base/json.ts";
import type { SessionEvent, ToolResultEvent, ToolUseEvent } from "../model/event.ts";
import { withoutInjected } from "../model/injected.ts";
import { isPrompt } from "../model/prompt.ts";
import { oneLine } from "../model/text.ts";
import { textOf } from "./given.ts";
import { leftOpen } from "./left-open.ts";
import { parentOf } from "./path.ts";
import { isDecision, sentencesOf } from "./sentences.ts";
import { type PathState, stateOf } from "./state.ts";
import { type CommandRun, commandOf, type FileAction, failureOf, filesOf } from "./touched.ts";

/** What a path is about, taken from its own words. */
export interface Extract {
  readonly state: PathState;
  readonly startedAt?: string;
  readonly endedAt?: string;
  readonly turns: number;
  /** The first thing a person asked for. */
  readonly goal?: string;
  readonly laterPrompts: readonly string[];
  /** What a compaction said about events before it, where they are not all on the path. */
  readonly earlierSummary?: string;
  readonly decisions: readonly string[];
  readonly files: ReadonlyMap<string, FileAction>;
  readonly commands: readonly CommandRun[];
  readonly openEnds: readonly string[];
  readonly lastAnswer?: string;
}

/** Reads a path once and takes out what a successor needs; the same path gives the same extract. */
export function extract(path: readonly SessionEvent[]): Extract {
  const prompts: string[] = [];
  const decisions = new Set<string>();
  const files = new Map<string, FileAction>();
  const calls = new Map<string, ToolUseEvent>();
  const results = new Map<string, ToolResultEvent>();
  let lastAnswer: string | undefined;
  let answered = true;
  for (const event of path) {
    switch (event.type) {
      case "user": {
        const text = withoutInjected(textOf(event.content));
        if (!isPrompt(event) || text === "") break;
        prompts.push(text);
        answered = false;
        addDecisions(decisions, text);
        break;
      }
      case "assistant": {
        const text = textOf(event.content);
        if (event.synthetic === true || text === "") break;
        lastAnswer = text;
        answered = true;
        addDecisions(decisions, text);
        break;
      }
      case "tool_use":
        if (!calls.has(event.call)) calls.set(event.call, event);
        break;
      case "tool_result":
        if (!results.has(event.call)) results.set(event.call, event);
        break;
    }
  }
  for (const event of path) {
    const failed = event.type === "tool_use" && results.get(event.call)?.isError === true;
    for (const [file, action] of failed ? [] : filesOf(event)) addFile(files, { file, action });
  }
  const earlierSummary = earlierSummaryOf(path);
  const carriedGoal = earlierSummary === undefined ? undefined : goalIn(earlierSummary);
  const goal = carriedGoal ?? prompts[0];
  const laterPrompts = carriedGoal === undefined ? prompts.slice(1) : prompts;
  const waiting = answered ? undefined : prompts.at(-1);
  const unfinished = openEndsOf(path, { calls, results, waiting });
  return {
    state: stateOf(path),
    ...(path[0] === undefined ? {} : { startedAt: path[0].at, endedAt: path.at(-1)!.at }),
    turns: prompts.length,
    ...(goal === undefined ? {} : { goal }),
    laterPrompts,
    ...(earlierSummary === undefined
      ? {}
      : { earlierSummary: earlierSummary.replace(statedGoal, "") }),
    decisions: [...decisions],
    files,
    commands: commandsOf(calls, results),
    openEnds: unfinished.length > 0 ? unfinished : leftOpen(lastAnswer ?? ""),
    ...(lastAnswer === undefined ? {} : { lastAnswer }),
  };
}

function addDecisions(decisions: Set<string>, text: string): void {
  for (const sentence of sentencesOf(text)) {
    if (!isDecision(sentence)) continue;
    // Said again, it moves to the place where it was said last.
    decisions.delete(sentence);
    decisions.add(sentence);
  }
}

function addFile(
  files: Map<string, FileAction>,
  { file, action }: { readonly file: string; readonly action: FileAction },
): void {
  const known = files.get(file);
  if (known !== undefined && action === "read") return;
  files.delete(file);
  files.set(file, known === "created" && action === "changed" ? "created" : action);
}

/** Where the path reaches back to its root, an extractive summary of it would say nothing new. */
function earlierSummaryOf(path: readonly SessionEvent[]): string | undefined {
  const at = path.findLastIndex((event) => event.type === "compaction");
  const compaction = path[at];
  if (compaction?.type !== "compaction" || typeof compaction.summary !== "string") return undefined;
  const known = compaction.strategy === "summarise" && isWhole(path.slice(0, at + 1));
  return compaction.summary.trim() === "" || known ? undefined : compaction.summary.trim();
}

/** Whether the conversation is there from its very beginning. */
function isWhole(path: readonly SessionEvent[]): boolean {
  const [root] = path;
  if (root?.type !== "session_start" || root.continues !== undefined) return false;
  const unbroken = path.every((event, index) => parentOf(event) === path[index - 1]?.id);
  return unbroken && path.some((event) => event.type === "user");
}

const statedGoal = /^## Goal\n\n((?:>.*(?:\n|$)){1,200})\n?/m;

/** The goal an earlier extractive summary stated, so that it survives any number of compactions. */
function goalIn(summary: string): string | undefined {
  return statedGoal.exec(summary)?.[1]?.replace(/^> ?/gm, "").trim();
}

function commandsOf(
  calls: ReadonlyMap<string, ToolUseEvent>,
  results: ReadonlyMap<string, ToolResultEvent>,
): readonly CommandRun[] {
  const runs: CommandRun[] = [];
  for (const [call, event] of calls) {
    const command = commandOf(event);
    if (command === undefined) continue;
    const failure = failureOf(results.get(call));
    runs.push(failure === undefined ? { command } : { command, failure });
  }
  return runs;
}

const finished = /^(?:done|completed?|cancell?ed|deleted|closed|failed)$/i;

function openEndsOf(
  path: readonly SessionEvent[],
  options: {
    readonly calls: ReadonlyMap<string, ToolUseEvent>;
    readonly results: ReadonlyMap<string, ToolResultEvent>;
    readonly waiting: string | undefined;
  },
): readonly string[] {
  const tasks = new Map<string, string>();
  let steps: readonly string[] = [];
  for (const event of path) {
    if (event.type === "task") {
      const title = oneLine(event.title ?? tasks.get(event.task) ?? event.task, 160);
      if (finished.test(event.status ?? "")) tasks.delete(event.task);
      else tasks.set(event.task, title);
    } else if (event.type === "tool_use") steps = stepsOf(event) ?? steps;
  }
  const open: string[] = [];
  if (options.waiting !== undefined)
    open.push(`Not answered yet: ${oneLine(options.waiting, 300)}`);
  for (const [call, event] of options.calls) {
    if (options.results.has(call)) continue;
    open.push(`Call without a result: ${oneLine(event.name, 60)} ${commandOf(event) ?? ""}`.trim());
  }
  for (const title of tasks.values()) open.push(`Task: ${title}`);
  for (const step of steps) open.push(`Step: ${step}`);
  return open;
}

/** The unfinished steps of a plan an agent keeps through a tool; undefined if the call is none. */
function stepsOf(event: ToolUseEvent): readonly string[] | undefined {
  if (!isObject(event.input)) return undefined;
  const list = event.input["todos"] ?? event.input["plan"];
  if (!Array.isArray(list)) return undefined;
  return asArray(list).flatMap((item) => {
    if (!isObject(item) || finished.test(asString(item["status"]) ?? "")) return [];
    const step = asString(item["content"]) ?? asString(item["step"]);
    return step === undefined || step.trim() === "" ? [] : [oneLine(step, 160)];
  });
}
