import { hashText } from "../../base/hash.ts";
import { limits } from "../../base/limits.ts";
import type { EventBody } from "../../model/event.ts";

/**
 * The tools of calls whose results are still to come: many agents name a tool only in its call. Where too many
 * are never answered, the oldest are forgotten.
 */
export class AwaitedCalls {
  /** By a hash of the call's id, because an id may be of any length. */
  readonly #tools = new Map<number, string>();

  /** Continues what was kept. */
  constructor(kept = "") {
    if (kept === "") return;
    for (const [call, tool] of JSON.parse(kept) as [number, string][]) this.#tools.set(call, tool);
  }

  /** Takes the next event of a session; says the tool a result comes from, where its call is remembered. */
  toolOf(body: EventBody): string | undefined {
    if (body.type !== "tool_use" && body.type !== "tool_result") return undefined;
    const call = hashText(body.call);
    const tool = this.#tools.get(call);
    // A call that is reported again counts as the newest.
    this.#tools.delete(call);
    if (body.type === "tool_result") return tool;
    this.#tools.set(call, body.name.slice(0, limits.toolNameChars));
    if (this.#tools.size > limits.awaitedCalls) {
      this.#tools.delete(this.#tools.keys().next().value!);
    }
    return undefined;
  }

  /** What another one needs to go on, as one line; empty where no call is open. */
  kept(): string {
    return this.#tools.size === 0 ? "" : JSON.stringify([...this.#tools]);
  }
}
