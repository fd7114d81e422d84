import { asArray, asNumber, asString, isObject } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";
import type { BridgeTask } from "../../model/bridge-event.ts";
import { type BridgeLine, injectionsIn } from "./line.ts";
import type { Bracket, ContextSize, Injected, State } from "./state.ts";

const unnamed = "(unnamed)";
const toolName = /^[\w.:/-]{1,128}$/;
/** What a bracket may be. */
export const brackets: ReadonlySet<unknown> = new Set([
  "FRESH",
  "MODERATE",
  "DEPLETED",
  "CRITICAL",
]);

/** The context of a session nobody measured yet. */
export const unknownContext: ContextSize = { tokens: 0, windowTokens: 200_000, from: "estimate" };

/** The state before the first line. */
export function emptyState(agent: string, session: string): State {
  return {
    schema: 1,
    agent,
    session,
    startedAt: "",
    updatedAt: "",
    promptCount: 0,
    tools: {},
    subagentTools: 0,
    failedTools: 0,
    files: [],
    commands: [],
    tasks: [],
    agents: [],
    compactions: 0,
    bracket: "FRESH",
    context: unknownContext,
    injected: [],
  };
}

/** Folds lines into a state; `offset` is where the line begins in its log. */
export class Fold {
  #state: State;
  #tools: Map<string, number>;
  #files: Set<string>;
  #countedAt: number;

  constructor(state: State, countedAt = -1) {
    this.#state = state;
    this.#tools = new Map(Object.entries(state.tools));
    this.#files = new Set([...state.files].reverse());
    this.#countedAt = countedAt;
  }

  /** Where the last line that was counted begins; -1 before the first. */
  get countedAt(): number {
    return this.#countedAt;
  }

  add(line: BridgeLine, offset: number): void {
    const state = this.#state;
    const at = asString(line.at) ?? state.updatedAt;
    if (line.kind === "reconciled") {
      this.#reconcile(line);
      return;
    }
    const next: { -readonly [K in keyof State]: State[K] } = {
      ...state,
      startedAt: state.startedAt === "" ? at : state.startedAt,
      updatedAt: at,
    };
    const cwd = asString(line.cwd);
    const transcript = asString(line.transcript);
    if (cwd !== undefined) next.cwd = cwd;
    if (transcript !== undefined) next.transcript = transcript;
    if (beginsContext(line)) {
      next.injected = [];
      next.promptsBefore = state.promptCount;
      if (line.source !== "clear") next.compactions += 1;
    }
    const compaction = asString(line.compaction);
    const transcriptBytes = asNumber(line.transcriptBytes);
    if (compaction !== undefined) next.compaction = compaction;
    if (transcriptBytes !== undefined) next.transcriptBytes = transcriptBytes;
    if (line.kind === "session_end") next.ended = asString(line.reason) ?? "ended";
    else delete next.ended;
    this.#count(line, next, offset);
    const context = contextIn(line.context);
    if (context !== undefined) next.context = context;
    if (brackets.has(line.bracket)) next.bracket = line.bracket as Bracket;
    const agentName = line.kind === "agent" ? asString(line.agentName) : undefined;
    if (agentName !== undefined && next.agents.at(-1) !== agentName)
      next.agents = [...next.agents, agentName].slice(-limits.bridgeAgents);
    if (line.tasks !== undefined) next.tasks = tasksAfter(next.tasks, line);
    next.injected = withInjections(next.injected, line, at);
    this.#state = next;
  }

  #count(line: BridgeLine, next: { -readonly [K in keyof State]: State[K] }, offset: number): void {
    if (line.kind === "prompt") {
      next.promptCount += 1;
      this.#countedAt = offset;
    }
    if (line.kind !== "tool_after" && line.kind !== "tool_failed") return;
    this.#countedAt = offset;
    if (line.kind === "tool_failed") next.failedTools += 1;
    if (line.subagent !== undefined) next.subagentTools += 1;
    else this.#countTool(line.tool);
    for (const file of asArray(line.files)) this.#touch(asString(file));
    const command = asString(line.command);
    if (command !== undefined)
      next.commands = [...next.commands, command].slice(-limits.bridgeCommands);
  }

  #countTool(given: unknown): void {
    const name = typeof given === "string" && toolName.test(given) ? given : unnamed;
    const known = this.#tools.get(name);
    // Names come from outside: their number is bounded too.
    if (known === undefined && this.#tools.size >= limits.bridgeTools)
      this.#tools.set(unnamed, (this.#tools.get(unnamed) ?? 0) + 1);
    else this.#tools.set(name, (known ?? 0) + 1);
  }

  #touch(file: string | undefined): void {
    if (file === undefined) return;
    this.#files.delete(file);
    this.#files.add(file);
    const oldest = this.#files.values().next();
    if (this.#files.size > limits.bridgeFiles && !oldest.done) this.#files.delete(oldest.value);
  }

  /** The transcript wins, unless something was counted while it was read. */
  #reconcile(line: BridgeLine): void {
    const found: unknown = line.reconciled;
    if (!isObject(found) || this.#countedAt >= (asNumber(found["logBytes"]) ?? 0)) return;
    const tools = isObject(found["tools"]) ? found["tools"] : {};
    this.#tools = new Map();
    for (const [name, count] of Object.entries(tools).slice(0, limits.bridgeTools))
      if (typeof count === "number") this.#tools.set(toolName.test(name) ? name : unnamed, count);
    const context = contextIn(line.context);
    this.#state = {
      ...this.#state,
      promptCount: asNumber(found["prompts"]) ?? this.#state.promptCount,
      reconciledMark: asNumber(found["mark"]) ?? 0,
      ...(context !== undefined && { context }),
      ...(brackets.has(line.bracket) && { bracket: line.bracket as Bracket }),
    };
  }

  state(): State {
    return {
      ...this.#state,
      tools: Object.fromEntries(this.#tools),
      files: [...this.#files].reverse(),
    };
  }
}

/** Whether the model begins with an empty or summarised context after this line. */
export function beginsContext(line: Pick<BridgeLine, "kind" | "source" | "compaction">): boolean {
  if (line.kind === "post_compact" || line.compaction !== undefined) return true;
  return line.kind === "session_start" && (line.source === "compact" || line.source === "clear");
}

/** The size of a context that may have been written by anybody. */
export function contextIn(value: unknown): ContextSize | undefined {
  if (!isObject(value)) return undefined;
  const tokens = asNumber(value["tokens"]);
  const windowTokens = asNumber(value["windowTokens"]);
  const from = value["from"];
  if (tokens === undefined || windowTokens === undefined || windowTokens <= 0) return undefined;
  if (from !== "transcript" && from !== "payload" && from !== "estimate") return undefined;
  const model = asString(value["model"]);
  return { tokens, windowTokens, from, ...(model !== undefined && { model }) };
}

/** The tasks of a list that may have been written by anybody. */
export function tasksIn(value: unknown): readonly BridgeTask[] {
  return asArray(value).flatMap((task) => {
    if (!isObject(task)) return [];
    const name = asString(task["name"]);
    const status = task["status"];
    if (name === undefined) return [];
    if (status !== "open" && status !== "active" && status !== "done") return [];
    return [{ name, status } as const];
  });
}

/** A whole list replaces the one before; a single task (`task` lines) changes its own status. */
function tasksAfter(known: readonly BridgeTask[], line: BridgeLine): readonly BridgeTask[] {
  const told = tasksIn(line.tasks);
  if (line.kind !== "task") return told.slice(0, limits.bridgeTasks);
  const named = new Set(told.map(({ name }) => name));
  return [...known.filter(({ name }) => !named.has(name)), ...told].slice(-limits.bridgeTasks);
}

/** Of two lines with one hash the first gave it to the model, the second found that out and did not. */
function withInjections(
  known: readonly Injected[],
  line: BridgeLine,
  at: string,
): readonly Injected[] {
  const given = injectionsIn(line.injected);
  if (given.length === 0) return known;
  const hashes = new Set(known.map(({ hash }) => hash));
  const fresh = given.filter(({ hash }) => !hashes.has(hash)).map((item) => ({ ...item, at }));
  return [...known, ...fresh].slice(-limits.bridgeInjections);
}
