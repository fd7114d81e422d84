import { posix } from "node:path";
import type { AgentEvent } from "../../agents/contract.ts";
import { limits } from "../../base/limits.ts";
import type { ToolUseEvent } from "../../model/event.ts";
import { oneLine } from "../../model/text.ts";
import { callActs } from "./call-acts.ts";
import { type ActOptions, isFailure } from "./session-acts.ts";
import { shellCommand } from "./shell-command.ts";
import { shellTargets } from "./shell-targets.ts";

/** A command that may have changed files in a way its text does not tell. */
export interface UnshownCommand {
  /** The event of its call. */
  readonly event: string;
  /** Its first words. */
  readonly command: string;
  /** The files of the session's folder that it may have changed; `.` is all of it. */
  readonly paths: readonly string[];
}

/** Collects, while a session is read, its commands that may have changed files unseen; those that failed are left out. */
export class UnshownCommands {
  readonly #options: ActOptions;
  readonly #open = new Map<string, UnshownCommand>();
  readonly #done: UnshownCommand[] = [];
  #cwd: string | undefined;

  constructor(options: ActOptions) {
    this.#options = options;
    this.#cwd = options.cwd;
  }

  /** The commands that were answered so far. */
  get found(): readonly UnshownCommand[] {
    return this.#done;
  }

  /** Passes events on. */
  async *watch(events: AsyncIterable<AgentEvent>): AsyncGenerator<AgentEvent> {
    for await (const event of events) {
      this.#take(event);
      yield event;
    }
  }

  #take({ body, number }: AgentEvent): void {
    if (body.type === "session_start" || body.type === "meta") this.#cwd = body.cwd ?? this.#cwd;
    if (body.type === "tool_use") this.#ask(body, number);
    if (body.type !== "tool_result") return;
    const asked = this.#open.get(body.call);
    this.#open.delete(body.call);
    if (asked !== undefined && !isFailure(body)) this.#done.push(asked);
  }

  #ask(body: ToolUseEvent, event: string): void {
    const { dialects, cwd: folder = this.#cwd } = this.#options;
    const command = shellCommand(body, dialects);
    if (command === undefined || folder === undefined) return;
    const shown = callActs(body, dialects).map((act) =>
      posix.relative(folder, posix.resolve(this.#cwd ?? folder, act.folder ?? "", act.path)),
    );
    const targets = shellTargets(command, { folder, cwd: this.#cwd });
    const paths = targets.filter((path) => !shown.includes(path));
    if (paths.length === 0) return;
    this.#open.set(body.call, { event, command: oneLine(command, limits.promptChars), paths });
    if (this.#open.size > limits.openToolCalls) this.#open.delete(this.#open.keys().next().value!);
  }
}
