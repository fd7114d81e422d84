import { joinSteps } from "../log/join-steps.ts";
import type { Step } from "../log/walk.ts";
import type { EventId, SessionEvent } from "../model/event.ts";
import { joinParts } from "../model/join-parts.ts";
import type { EventsOptions, Shape } from "./session-log.ts";

/** The readings of a session that every log gives alike: each text that was written in parts is one event. */
export abstract class JoinedLog {
  protected abstract rawPath(from: EventId | undefined): Iterable<Step>;
  protected abstract rawEvents(options: EventsOptions): Iterable<SessionEvent>;
  protected abstract rawShapes(): Iterable<Shape>;

  path(from?: EventId): Iterable<Step> {
    return joinSteps(this.rawPath(from));
  }

  events(options: EventsOptions = {}): Iterable<SessionEvent> {
    const events = this.rawEvents(options);
    return options.raw ? events : joinParts(events, options.reverse ? "backward" : "forward");
  }

  *shapes(): Generator<Shape> {
    for (const shape of this.rawShapes()) {
      if (shape.type !== "part") yield shape;
      else {
        // Whether a part is seen is known to who reads what follows it.
        for (const { id, parent, type } of this.events({ from: shape.id }))
          yield { id, parent, type };
        return;
      }
    }
  }
}
