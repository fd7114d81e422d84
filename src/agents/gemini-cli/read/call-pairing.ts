import { limits } from "../../../base/limits.ts";
import type { EventBody } from "../../../model/event.ts";
import { unnamedCall } from "../../gemini-parts.ts";

/**
 * Gives each call one result. The program stores every result twice, and again at each resume; old versions
 * name no call, so the oldest open one of the same tool is meant.
 */
export class CallPairing {
  readonly #answered = new Set<string>();
  readonly #open: { readonly call: string; readonly name: string }[] = [];

  constructor(answered: readonly string[] = []) {
    for (const call of answered) this.#answered.add(call);
  }

  /** The body to emit, or undefined if it repeats a result. */
  admit(body: EventBody): EventBody | undefined {
    if (body.type === "tool_use") {
      // An id may be used again by a later call; its result is then a new one.
      this.#answered.delete(body.call);
      this.#open.push({ call: body.call, name: body.name });
      if (this.#open.length > limits.openToolCalls) this.#open.shift();
      return body;
    }
    if (body.type !== "tool_result") return body;
    const named = body.call === unnamedCall ? { ...body, call: this.#openCall(body.name) } : body;
    if (this.#answered.has(named.call)) return undefined;
    this.#answered.add(named.call);
    if (this.#answered.size > limits.openToolCalls) {
      for (const oldest of this.#answered) {
        this.#answered.delete(oldest);
        break;
      }
    }
    const at = this.#open.findIndex((open) => open.call === named.call);
    if (at >= 0) this.#open.splice(at, 1);
    return named;
  }

  hasAnswered(call: string): boolean {
    return this.#answered.has(call);
  }

  /** The newest answered calls, for a cursor. */
  answered(count: number): readonly string[] {
    return [...this.#answered].slice(-count);
  }

  #openCall(name: string | undefined): string {
    const open = this.#open.find((one) => one.name === name);
    return open?.call ?? `${name ?? "tool"}:unpaired`;
  }
}
