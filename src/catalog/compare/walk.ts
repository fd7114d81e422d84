import type { AgentEvent } from "../../agents/contract.ts";
import { hashText } from "../../base/hash.ts";
import { limits } from "../../base/limits.ts";
import { plainText } from "../../model/block.ts";
import { isMissingResult } from "../../model/missing-result.ts";
import type { ToolDialect } from "../../model/tool-dialect.ts";
import { type Said, saidIn } from "./said.ts";

/** A place on a branch; `step` grows along it. */
interface Place {
  readonly event: string;
  readonly step: number;
}

/** The result of a call that both branches have. */
export interface SeenResult extends Place {
  readonly call: string;
  readonly hash: number;
}

/** What a branch has behind the part that both have. */
export interface Rest {
  readonly events: AsyncIterable<AgentEvent>;
  /** Calls of the common part whose results are still to come. */
  readonly open: ReadonlySet<string>;
}

/**
 * Goes along one branch, text by text and call by call. Results are set aside, each for its call: agents write the
 * results of parallel calls one by one or all at the end.
 */
export class Walk {
  readonly #events: AsyncIterator<AgentEvent>;
  readonly #dialects: readonly ToolDialect[];
  /** The calls without a result, each with its place among the calls that both have. */
  readonly #open = new Map<string, number>();
  readonly #results = new Map<number, SeenResult>();
  #calls = 0;
  #step = 0;
  #ahead: { readonly said: Said; readonly step: number } | undefined;
  #last: Place | undefined;

  constructor(events: AsyncIterable<AgentEvent>, dialects: readonly ToolDialect[]) {
    this.#events = events[Symbol.asyncIterator]();
    this.#dialects = dialects;
  }

  /** The next text or call; undefined at the end. */
  async ahead(): Promise<Said | undefined> {
    for (;;) {
      const { done, value } = await this.#events.next();
      if (done === true) return undefined;
      this.#step += 1;
      const said = saidIn(value, this.#dialects);
      if (said !== undefined) {
        this.#ahead = { said, step: this.#step };
        return said;
      }
      this.#setAside(value);
    }
  }

  #setAside({ number, body }: AgentEvent): void {
    if (body.type !== "tool_result" || isMissingResult(body)) return;
    const { call } = body;
    const at = this.#open.get(call);
    if (at === undefined) return;
    this.#open.delete(call);
    const hash = hashText(plainText(body.content).trim());
    this.#results.set(at, { event: number, step: this.#step, call, hash });
    if (this.#results.size > limits.openToolCalls) {
      this.#results.delete(this.#results.keys().next().value!);
    }
  }

  /** Goes past what is ahead: both branches have it. */
  pass(): void {
    const { said, step } = this.#ahead!;
    this.#ahead = undefined;
    const { number, body } = said.event;
    this.reach({ event: number, step });
    if (body.type !== "tool_use") return;
    this.#open.set(body.call, this.#calls);
    this.#calls += 1;
    if (this.#open.size > limits.openToolCalls) this.#open.delete(this.#open.keys().next().value!);
  }

  /** Both branches have what is at this place. */
  reach(place: Place): void {
    if (this.#last === undefined || place.step > this.#last.step) this.#last = place;
  }

  /** The farthest event that both branches have. */
  get last(): string | undefined {
    return this.#last?.event;
  }

  /** The results that both walks have set aside, in the order of their calls; each is returned once. */
  *sharedResults(other: Walk): Generator<readonly [SeenResult, SeenResult]> {
    for (const [at, one] of this.#results) {
      const two = other.#results.get(at);
      if (two === undefined) continue;
      this.#results.delete(at);
      other.#results.delete(at);
      yield [one, two];
    }
  }

  /** What is ahead, and all that follows. */
  rest(): Rest {
    return { events: this.#continued(), open: new Set(this.#open.keys()) };
  }

  async *#continued(): AsyncGenerator<AgentEvent> {
    if (this.#ahead === undefined) return;
    yield this.#ahead.said.event;
    yield* { [Symbol.asyncIterator]: () => this.#events };
  }
}
