import { randomBytes } from "node:crypto";
import { RepriseError } from "../base/errors.ts";
import type { JsonObject } from "../base/json.ts";
import { limits } from "../base/limits.ts";
import type {
  AssistantEvent,
  EventBody,
  PartEvent,
  SessionEvent,
  ToolUseEvent,
} from "../model/event.ts";
import { endsTurn } from "../model/stop-reason.ts";
import type { Usage } from "../model/usage.ts";

/** Where a stream writes to: events are written in the order of the calls, all of a call or none. */
export interface StreamTarget {
  append(bodies: readonly EventBody[]): Promise<readonly SessionEvent[]>;
  /** Hears that nothing more will come. */
  ended(): void;
}

/** What is known of a model's message when it begins. */
export interface StreamOptions {
  /** The message's id, equal in all its events; made up where there is none. */
  readonly message?: string | undefined;
  readonly model?: string | undefined;
  readonly extra?: JsonObject | undefined;
  /** Ends the stream unfinished when it fires. */
  readonly signal?: AbortSignal | undefined;
}

/** What is known when a message is over. */
export interface StreamEnd {
  readonly usage?: Usage | undefined;
  readonly stopReason?: string | undefined;
  /** Whether the turn is over; as the stop reason says, unless given. */
  readonly endTurn?: boolean | undefined;
  /** Proves thinking that ends the message to be the model's own. */
  readonly signature?: string | undefined;
}

/** What proves thinking to be the model's own. */
export interface ThinkingProof {
  readonly signature?: string | undefined;
  /** The provider keeps the words for itself; the signature is all there is. */
  readonly redacted?: boolean | undefined;
}

type SpokenType = PartEvent["of"];

/**
 * One message of a model while it comes in. Each piece is in the log within 250 ms or 4 KB; each text is then written
 * whole, in one event that stands for its parts. Whatever happens in between, readers see one text.
 */
export class MessageStream {
  /** What people see of it; the entry is minified. */
  static readonly name = "MessageStream";
  readonly message: string;
  readonly #target: StreamTarget;
  readonly #stream = randomBytes(6).toString("base64url");
  readonly #shared: Pick<AssistantEvent, "message" | "model" | "extra">;
  readonly #written: Promise<readonly SessionEvent[]>[] = [];
  readonly #signal: AbortSignal | undefined;
  /** The text that is being said: what it is, all of it, and what of it is not in the log yet. */
  #type: SpokenType | undefined;
  #text = "";
  #unwritten = "";
  #hasParts = false;
  #signature: string | undefined;
  #redacted: true | undefined;
  /** Calls that wait for what follows: the last event of a message has its usage. */
  #calls: ToolUseEvent[] = [];
  #timer: NodeJS.Timeout | undefined;
  #failure: unknown;
  #end: Promise<readonly SessionEvent[]> | undefined;

  constructor(target: StreamTarget, options: StreamOptions = {}) {
    const { model, extra, signal } = options;
    this.#target = target;
    this.message = options.message ?? this.#stream;
    this.#shared = {
      message: this.message,
      ...(model !== undefined && { model }),
      ...(extra !== undefined && { extra }),
    };
    this.#signal = signal;
    if (signal?.aborted) this.#onAbort();
    else signal?.addEventListener("abort", this.#onAbort, { once: true });
  }

  /** Adds to what the model says. Throws what kept an earlier piece from being written. */
  text(delta: string): void {
    this.#say("assistant", delta);
  }

  /**
   * Adds to what the model thinks; the signature, which comes last, proves it to be the model's own. What comes after a
   * signature is another thought; one without words stands before what follows it.
   */
  thinking(delta: string, options: ThinkingProof = {}): void {
    this.#say("thinking", delta);
    const { signature, redacted } = options;
    if (signature === undefined) return;
    const isOther = this.#type === "assistant" || this.#signature !== undefined;
    if (isOther || this.#calls.length > 0) this.settle();
    this.#type = "thinking";
    this.#signature = signature;
    if (redacted === true) this.#redacted = true;
  }

  /** Adds a call of the model; it is written with what comes next, or at the end. */
  toolUse(call: string, name: string, input: unknown): void {
    this.#check();
    this.#calls.push({ type: "tool_use", call, name, input, ...this.#shared });
  }

  /** Ends the message; resolves with its events, whole, when they are as durable as an append of them. */
  end(how: StreamEnd = {}): Promise<readonly SessionEvent[]> {
    return this.#finish(() => this.#lastBodies(how));
  }

  /** Ends the message where it is: what was said so far stays, as unfinished. */
  abort(reason = "aborted"): Promise<readonly SessionEvent[]> {
    return this.#finish(() => [...this.#whole({ unfinished: true }, reason), ...this.#takeCalls()]);
  }

  /** Writes what is there as whole events: something else is about to be appended, and comes after it. */
  settle(): void {
    this.#put([...this.#whole(), ...this.#takeCalls()]);
  }

  /** Ends a stream that nobody ended as unfinished. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.abort();
  }

  readonly #onAbort = (): void => {
    // Anyone who asks for the end is reported a failure.
    this.abort().catch(() => undefined);
  };

  #say(type: SpokenType, delta: string): void {
    this.#check();
    if (delta === "") return;
    const isTooLong = this.#text.length + delta.length > limits.streamedChars;
    const isOther = (this.#type ?? type) !== type || this.#signature !== undefined;
    if (this.#calls.length > 0 || isTooLong || isOther) this.settle();
    this.#type = type;
    this.#text += delta;
    // A piece that is too long for readers to hold is written whole alone.
    if (delta.length > limits.streamedChars) {
      this.settle();
      return;
    }
    this.#unwritten += delta;
    if (Buffer.byteLength(this.#unwritten) >= limits.partBytes) this.#writePart();
    else this.#timer ??= setTimeout(this.#writePart, limits.partMs);
  }

  readonly #writePart = (): void => {
    this.#stopTimer();
    // Half a character waits for its other half: a line holds whole ones only.
    const isHalved = /[\ud800-\udbff]$/.test(this.#unwritten);
    const end = this.#unwritten.length - (isHalved ? 1 : 0);
    const text = this.#unwritten.slice(0, end);
    this.#unwritten = this.#unwritten.slice(end);
    if (text === "" || this.#type === undefined) return;
    this.#hasParts = true;
    const part: EventBody = {
      type: "part",
      stream: this.#stream,
      of: this.#type,
      text,
      ...this.#shared,
    };
    this.#appended([part]);
  };

  /** The event of the text that is being said, if there is one. */
  #whole(marks: { readonly unfinished?: true } = {}, stopReason?: string): readonly EventBody[] {
    this.#stopTimer();
    const type = this.#type;
    if (type === undefined) return [];
    const shared = {
      content: this.#text,
      ...this.#shared,
      ...(this.#hasParts && { stream: this.#stream }),
      ...marks,
    };
    const proof = {
      ...(this.#signature !== undefined && { signature: this.#signature }),
      ...(this.#redacted !== undefined && { redacted: this.#redacted }),
    };
    this.#type = this.#signature = this.#redacted = undefined;
    this.#text = this.#unwritten = "";
    this.#hasParts = false;
    if (type === "assistant")
      return [{ type, ...shared, ...(stopReason !== undefined && { stopReason }) }];
    return [{ type, ...shared, ...proof }];
  }

  #takeCalls(): readonly EventBody[] {
    const calls = this.#calls;
    this.#calls = [];
    return calls;
  }

  /** What ends a message: usage and the reason on its last event. One that says nothing is an answer without words. */
  #lastBodies(how: StreamEnd): readonly EventBody[] {
    const { usage, stopReason, signature } = how;
    if (this.#type === "thinking") this.#signature ??= signature;
    const calls = this.#calls.length > 0;
    const bodies = [...this.#whole(), ...this.#takeCalls()];
    const isToldBefore = this.#written.length > 0 && usage === undefined;
    if (bodies.length === 0 && isToldBefore) return [];
    const last = bodies.pop() ?? { type: "assistant", content: "", ...this.#shared };
    const spent = usage === undefined ? {} : { usage };
    if (last.type !== "assistant") return [...bodies, { ...last, ...spent } as EventBody];
    const endTurn = how.endTurn ?? (!calls && endsTurn(stopReason));
    const reason = stopReason === undefined ? {} : { stopReason };
    return [...bodies, { ...last, ...spent, ...reason, ...(endTurn && { endTurn }) }];
  }

  #finish(bodies: () => readonly EventBody[]): Promise<readonly SessionEvent[]> {
    this.#end ??= this.#finishOnce(bodies());
    return this.#end;
  }

  async #finishOnce(bodies: readonly EventBody[]): Promise<readonly SessionEvent[]> {
    this.#signal?.removeEventListener("abort", this.#onAbort);
    try {
      this.#put(bodies);
      const events = await Promise.all(this.#written);
      return events.flat();
    } finally {
      this.#target.ended();
    }
  }

  #put(bodies: readonly EventBody[]): void {
    if (bodies.length > 0) this.#written.push(this.#appended(bodies));
  }

  #appended(bodies: readonly EventBody[]): Promise<readonly SessionEvent[]> {
    const written = this.#target.append(bodies);
    written.catch((error) => {
      this.#failure ??= error;
    });
    return written;
  }

  #check(): void {
    if (this.#end !== undefined) {
      throw new RepriseError("closed", "The stream is over: nothing can be added to its message.", {
        hint: "Begin another one with `session.stream()`.",
      });
    }
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure !== undefined) throw failure;
  }

  #stopTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
