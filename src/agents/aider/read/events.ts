import { limits } from "../../../base/limits.ts";
import type { EventBody } from "../../../model/event.ts";
import { eventNumber } from "../../../model/event-number.ts";
import type { Usage } from "../../../model/usage.ts";
import type { AgentEvent } from "../../contract.ts";
import { authorOfLine, type HistoryLine, kindOfLine, withoutMark } from "../line-kind.ts";
import { factsOf, usageIn } from "../program-line.ts";
import { momentOf, startedIn } from "../start-line.ts";

/** What a message that is not finished holds. */
interface Begun {
  readonly kind: "user" | "assistant";
  /** The first line that is not blank. */
  number: string;
  text: string;
  /** Noted as lines come: looking at all of the text for every line would cost its square. */
  blank: boolean;
}

/**
 * Turns the lines of a run into events by the rules the program restores with: a change of kind ends a
 * message, a heading is left out wherever it stands, blank messages vanish. What the rules take away is reported
 * too, as not live: the program's own words, and the true text of an answer that they cut or misread.
 */
export class EventMaker {
  #begun: Begun | undefined;
  /** The true answer since the last line of a person or the program. */
  #answer = { number: "", text: "", misread: false, blank: true };
  readonly #session: string;
  readonly #wantsTrueText: boolean;
  /** A true answer that waits for the end of the message its last line was restored into. */
  #answered: AgentEvent | undefined;
  #events: AgentEvent[] = [];
  #parent: string | undefined;
  #split = 0;

  constructor(
    session: string,
    options: { readonly parent?: string | undefined; readonly trueText: boolean },
  ) {
    this.#session = session;
    this.#wantsTrueText = options.trueText;
    this.#parent = options.parent;
  }

  /** Takes one line, or one of several parts that share a number; the number is made if it is needed. */
  line(line: HistoryLine, number: () => string): void {
    const { text } = line;
    const kind = kindOfLine(text);
    if (this.#wantsTrueText) this.#trueText(line, number, kind);
    switch (kind) {
      case "heading": {
        const started = startedIn(text);
        if (started !== undefined) this.#start(started, number);
        return;
      }
      case "program":
        this.#program(withoutMark(text).trimEnd(), number);
        return;
      case "user":
      case "assistant": {
        if (this.#begun?.kind !== kind) this.#flush();
        this.#begun ??= { kind, number: "", text: "", blank: true };
        const said = kind === "user" ? withoutMark(text) : text;
        if (this.#begun.blank) {
          this.#begun.number = number();
          this.#begun.blank = said.trim() === "";
        }
        this.#begun.text += said + line.end;
        // One answer larger than memory allows is reported in pieces.
        if (this.#begun.text.length > limits.lineBytes) {
          this.#split += 1;
          this.#flush();
        }
      }
    }
  }

  /** The file ended: what was begun is a message. */
  end(): void {
    this.#endAnswer();
    this.#flush();
  }

  get hasEvents(): boolean {
    return this.#events.length > 0;
  }

  /** The events since the last call. */
  take(): AgentEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  /** How often a message had to be reported in pieces. */
  get splits(): number {
    return this.#split;
  }

  get parent(): string | undefined {
    return this.#parent;
  }

  /** The kind of message the text so far ends with: more of the same would belong to it. */
  get openKind(): "user" | "assistant" | undefined {
    return this.#begun?.blank === false ? this.#begun.kind : undefined;
  }

  /** Whether the text so far ends within an answer, as its writer meant it. */
  get inAnswer(): boolean {
    return !this.#answer.blank;
  }

  #start(started: string, number: () => string): void {
    const at = momentOf(started);
    const body = {
      type: "session_start",
      format: 1,
      session: this.#session,
      agent: { name: "aider" },
      metadata: { startedLocalTime: started },
    } as const;
    this.#push({ number: number(), live: true, body, ...(at === undefined ? {} : { at }) });
  }

  #program(text: string, number: () => string): void {
    const usage = usageIn(text);
    this.#flush(usage);
    const bodies: EventBody[] = [{ type: "note", content: text }, ...factsOf(text)];
    for (const [index, body] of bodies.entries()) {
      this.#push({ number: eventNumber(number(), index + 1), live: false, body });
    }
  }

  #flush(usage?: Usage): void {
    const begun = this.#begun;
    this.#begun = undefined;
    if (begun !== undefined && !begun.blank) {
      const content = begun.text.trim();
      const native = { role: begun.kind, content: begun.text };
      const body: EventBody =
        begun.kind === "user"
          ? { type: "user", content }
          : { type: "assistant", content, ...(usage === undefined ? {} : { usage }) };
      this.#push({ number: begun.number, live: true, body, native });
    }
    if (this.#answered !== undefined) this.#push(this.#answered);
    this.#answered = undefined;
  }

  #trueText(line: HistoryLine, number: () => string, kind: ReturnType<typeof kindOfLine>): void {
    const isStart = kind === "heading" && startedIn(line.text) !== undefined;
    if (isStart || authorOfLine(line.text) !== "answer") {
      this.#endAnswer();
      return;
    }
    if (this.#answer.blank) {
      this.#answer.number = number();
      this.#answer.blank = line.text.trim() === "";
    }
    if (kind !== "assistant") this.#answer.misread = true;
    // Longer than memory allows: the pieces that were restored have to do.
    if (this.#answer.text.length <= limits.lineBytes) this.#answer.text += line.text + line.end;
  }

  #endAnswer(): void {
    const { number, text, misread, blank } = this.#answer;
    this.#answer = { number: "", text: "", misread: false, blank: true };
    if (!misread || blank || text.length > limits.lineBytes) return;
    const body = { type: "assistant", content: text.trim() } as const;
    const native = { role: "assistant", content: text };
    this.#answered = { number: eventNumber(number, 2), live: false, body, native };
    if (this.#begun === undefined) this.#flush();
  }

  #push(event: AgentEvent): void {
    const linked =
      event.live && this.#parent !== undefined ? { ...event, parent: this.#parent } : event;
    if (event.live) this.#parent = event.number;
    this.#events.push(linked);
  }
}
