import { PartJoiner } from "../model/join-parts.ts";
import type { Step } from "./walk.ts";

/** A walk towards the root with its parts joined; damage is reported as it is met. */
export function* joinSteps(steps: Iterable<Step>): Generator<Step> {
  const joiner = new PartJoiner("backward");
  for (const step of steps) {
    if (step.kind === "damage") yield step;
    else for (const event of joiner.push(step.event)) yield { kind: "event", event };
  }
  for (const event of joiner.end()) yield { kind: "event", event };
}
