import type { FoundSession } from "../../agents/newest-sessions.ts";
import { asString, isObject } from "../../base/json.ts";
import { journalEntries } from "../../log/read-journal.ts";
import { nameOfHead } from "../../model/head-name.ts";
import { conversionKind } from "../../store/copies.ts";
import type { Home } from "../../store/home.ts";
import { ownAgent } from "../../store/own-agent.ts";

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
  for (const { kind, data } of journalEntries(home.journal, [conversionKind, "import"])) {
    const from = isObject(data["from"]) ? data["from"] : {};
    const parent = nameIn(from);
    if (parent === undefined) continue;
    const event = asString(from["event"]);
    const kinship = { parent, ...(event !== undefined && { event }) };
    if (kind === conversionKind) {
      const child = nameIn(isObject(data["to"]) ? data["to"] : {});
      if (child !== undefined) {
        // Within one agent nothing is converted: it is a fork that ends at the event.
        const isFork = agentOf(child) === agentOf(parent);
        found.set(child, { kind: isFork ? "fork" : "conversion", ...kinship });
      }
    } else {
      const session = asString(data["session"]);
      if (session !== undefined)
        found.set(`${ownAgent}:${session}`, { kind: "import", ...kinship });
    }
  }
  return found;
}

function agentOf(name: string): string {
  return name.slice(0, name.indexOf(":"));
}

function nameIn(data: Readonly<Record<string, unknown>>): string | undefined {
  const agent = asString(data["agent"]);
  // A file that no store held is named by its path.
  const session = asString(data["path"]) ?? asString(data["session"]);
  return agent === undefined || session === undefined ? undefined : `${agent}:${session}`;
}
