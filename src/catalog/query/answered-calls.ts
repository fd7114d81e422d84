import { limits } from "../../base/limits.ts";
import type { EventBody, ToolUseEvent } from "../../model/event.ts";
import type { ToolDialect } from "../../model/tool-dialect.ts";
import { shellCommand } from "../blame/shell-command.ts";
import { fieldEnd, leaves } from "../index/event-text.ts";

/** Of a call so much is kept: a line of it is shown, after secrets are masked. */
const callChars = 4096;

/** What results answer: the command that failed says more than `Exit code 2`. The oldest open calls are forgotten. */
export class AnsweredCalls {
  readonly #dialects: readonly ToolDialect[];
  readonly #calls = new Map<string, string>();

  constructor(dialect: ToolDialect | undefined) {
    this.#dialects = dialect === undefined ? [] : [dialect];
  }

  /** Takes the next event of a session; says the call that a result answers, where it is remembered. */
  callOf(body: EventBody): string | undefined {
    if (body.type === "tool_result") return this.#calls.get(body.call);
    if (body.type !== "tool_use") return undefined;
    this.#calls.delete(body.call);
    this.#calls.set(body.call, this.#textOf(body));
    if (this.#calls.size > limits.awaitedCalls)
      this.#calls.delete(this.#calls.keys().next().value!);
    return undefined;
  }

  #textOf(body: ToolUseEvent): string {
    const command = shellCommand(body, this.#dialects);
    const text =
      command === undefined
        ? `${body.name} ${leaves(body.input).replaceAll(fieldEnd, " · ")}`
        : `$ ${command}`;
    return text.slice(0, callChars);
  }
}
