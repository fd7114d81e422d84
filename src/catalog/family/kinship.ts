import type { FoundSession } from "../../agents/newest-sessions.ts";
import { nameOfHead } from "../../model/head-name.ts";
import { copiesOf } from "../../store/copies.ts";
import type { Home } from "../../store/home.ts";

/**
 * How a session came from another: `fork`, `subagent` and `continues` are stated by the session itself, `conversion`,
 * `import` and forks that a rewind wrote by the journal, `copy` by equal first events.
 */
export type KinshipKind = "fork" | "subagent" | "continues" | "conversion" | "import" | "copy";

/** The session another one came from, and the event where it left it. */
export interface Kinship {
  readonly kind: KinshipKind;
  /** `agent:session` of where it came from; it may be gone. */
  readonly parent: string;
  /** The event's number, or the agent's own id of it. */
  readonly event?: string;
}

/** The name of a session among all: its agent and its id. */
export function keyOf({ head }: Pick<FoundSession, "head">): string {
  return nameOfHead(head);
}

/** What a session's own head reports where it came from. */
export function statedKinship({ head }: FoundSession): Kinship | undefined {
  if (head.relation === undefined) return undefined;
  const { kind, session, event } = head.relation;
  const parent = `${head.agent}:${session}`;
  return parent === keyOf({ head })
    ? undefined
    : { kind, parent, ...(event !== undefined && { event }) };
}

/** What the journal reports sessions that were written from others, by `agent:session` of what was written. */
export function recordedKinships(home: Home): ReadonlyMap<string, Kinship> {
  const found = new Map<string, Kinship>();
  for (const { session, of: parent, made, event } of copiesOf(home)) {
    // Within one agent nothing is converted: it is a fork that ends at the event.
    const converted = agentOf(session) === agentOf(parent) ? "fork" : "conversion";
    const kind = made === "import" ? "import" : converted;
    found.set(session, { kind, parent, ...(event !== undefined && { event }) });
  }
  return found;
}

function agentOf(name: string): string {
  return name.slice(0, name.indexOf(":"));
}
