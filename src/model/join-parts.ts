import { limits } from "../base/limits.ts";
import type {
  AssistantEvent,
  EventFrame,
  EventId,
  PartEvent,
  SessionEvent,
  ThinkingEvent,
} from "./event.ts";
import { conversationTypes } from "./event-groups.ts";

/*
 * What a model says is written in parts, then whole. Every reader of a log sees one text: the whole event where there
 * is one, else one unfinished event in the place of the last part. This file is the only one that knows how.
 *
 * Parts of one stream and type are a run. A run ends with the whole event that names its stream, or where a
 * conversation event of anybody else comes: then nobody wrote the whole. What lies between the parts of a run is held
 * until one of the two is met, so that events come in the order of their numbers. An event that followed a part which
 * nobody sees follows what that part followed.
 */

type Part = EventFrame & PartEvent;
type Whole = EventFrame & (AssistantEvent | ThinkingEvent);

/** The parts of one text, as far as they were met. */
interface Run {
  readonly texts: string[];
  /** The part in whose place the text stands, if nobody wrote the whole. */
  last: EventId;
  chars: number;
  isSuperseded: boolean;
}

/** What is held back: a part of a run, or an event between parts. */
interface Held {
  readonly event: SessionEvent;
  readonly run?: Run;
}

/** Which way a log is read. */
export type ReadingDirection = "forward" | "backward";

/** Takes events one by one and gives them back with their parts joined. */
export class PartJoiner {
  readonly #isBackward: boolean;
  readonly #open = new Map<string, Run>();
  /** Backward: runs whose whole event was met already. */
  readonly #whole = new Map<string, Run>();
  #held: Held[] = [];
  #heldChars = 0;
  /** Forward: a part nobody sees, and what it followed. Backward: the event whose parent is not known to be seen. */
  #hidden: { readonly id: EventId; readonly parent: EventId | undefined } | undefined;
  #waiting: SessionEvent | undefined;

  constructor(direction: ReadingDirection) {
    this.#isBackward = direction === "backward";
  }

  /** The events that can be given now that this one was met. */
  push(event: SessionEvent): readonly SessionEvent[] {
    if (event.type === "part") this.#part(event);
    else {
      this.#end(event);
      // Nearly all events: nothing is held, and nothing has to be.
      if (this.#held.length === 0) return this.#given(event);
      this.#held.push({ event });
      if (this.#open.size > 0) this.#bound(event);
    }
    return this.#open.size === 0 ? this.#release() : [];
  }

  /** The events that are left at the end. */
  end(): readonly SessionEvent[] {
    this.#open.clear();
    const events = this.#release();
    return this.#waiting === undefined ? events : [...events, this.#waiting];
  }

  #part(event: Part): void {
    const key = keyOf(event.stream, event.of);
    const superseded = this.#whole.get(key);
    if (superseded !== undefined) {
      this.#held.push({ event, run: superseded });
      return;
    }
    let run = this.#open.get(key);
    if (run === undefined) {
      run = { texts: [], last: event.id, chars: 0, isSuperseded: false };
      this.#open.set(key, run);
    }
    run.texts.push(event.text);
    run.chars += event.text.length;
    if (!this.#isBackward) run.last = event.id;
    this.#held.push({ event, run });
    if (run.chars > limits.streamedChars) this.#open.delete(key);
  }

  /** Ends the runs that an event ends. */
  #end(event: SessionEvent): void {
    if (isWhole(event)) {
      const key = keyOf(event.stream!, event.type);
      const run = this.#open.get(key);
      this.#open.delete(key);
      if (this.#isBackward)
        this.#whole.set(key, { texts: [], last: 0, chars: 0, isSuperseded: true });
      else if (run !== undefined) run.isSuperseded = true;
    } else if (conversationTypes.has(event.type)) {
      this.#open.clear();
      this.#whole.clear();
    }
  }

  /** A file may hold parts and then anything but a conversation: what is held has an end. */
  #bound(event: SessionEvent): void {
    this.#heldChars += JSON.stringify(event).length;
    if (this.#heldChars > limits.besidePartsChars) this.#open.clear();
  }

  #release(): readonly SessionEvent[] {
    const held = this.#held;
    this.#held = [];
    this.#heldChars = 0;
    const events: SessionEvent[] = [];
    for (const { event, run } of held) {
      if (event.type !== "part" || run === undefined) this.#give(event, events);
      else if (run.isSuperseded || event.id !== run.last) this.#hide(event);
      else this.#give(this.#unfinished(event, run), events);
    }
    return events;
  }

  #unfinished({ type: _type, of, text: _text, ...last }: Part, { texts }: Run): SessionEvent {
    const content = (this.#isBackward ? texts.reverse() : texts).join("");
    return { ...last, type: of, content, unfinished: true };
  }

  #given(event: SessionEvent): readonly SessionEvent[] {
    const events: SessionEvent[] = [];
    this.#give(event, events);
    return events;
  }

  #give(event: SessionEvent, events: SessionEvent[]): void {
    if (this.#isBackward) {
      if (this.#waiting !== undefined) events.push(this.#waiting);
      this.#waiting = event;
      return;
    }
    const hidden = this.#hidden;
    this.#hidden = undefined;
    events.push(
      hidden !== undefined && hidden.id === event.parent ? withParent(event, hidden) : event,
    );
  }

  #hide({ id, parent }: Part): void {
    if (!this.#isBackward) {
      const before = this.#hidden;
      const seen = before !== undefined && before.id === parent ? before.parent : parent;
      this.#hidden = { id, parent: seen };
    } else if (this.#waiting?.parent === id) this.#waiting = withParent(this.#waiting, { parent });
  }
}

function keyOf(stream: string, type: string): string {
  return `${type} ${stream}`;
}

function isWhole(event: SessionEvent): event is Whole {
  return (
    (event.type === "assistant" || event.type === "thinking") && typeof event.stream === "string"
  );
}

function withParent(
  event: SessionEvent,
  { parent }: { readonly parent: EventId | undefined },
): SessionEvent {
  if (parent !== undefined) return { ...event, parent };
  const { parent: _none, ...root } = event;
  return root as SessionEvent;
}

/** Events with their parts joined, in the order they are read. */
export function* joinParts(
  events: Iterable<SessionEvent>,
  direction: ReadingDirection = "forward",
): Generator<SessionEvent> {
  const joiner = new PartJoiner(direction);
  for (const event of events) yield* joiner.push(event);
  yield* joiner.end();
}

/** The same for events that come one after another. */
export async function* joinPartsAsync(
  events: AsyncIterable<SessionEvent>,
  direction: ReadingDirection = "forward",
): AsyncGenerator<SessionEvent> {
  const joiner = new PartJoiner(direction);
  for await (const event of events) yield* joiner.push(event);
  yield* joiner.end();
}
