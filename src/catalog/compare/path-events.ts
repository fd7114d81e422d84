import type { AgentEvent } from "../../agents/contract.ts";
import { isNamed } from "../../agents/event-name.ts";
import type { FoundSession } from "../../agents/newest-sessions.ts";
import { throwIfUnread } from "../../agents/session-file.ts";
import { RepriseError } from "../../base/errors.ts";
import { nameOfHead } from "../../model/head-name.ts";
import { type Links, pathTo } from "../family/branches.ts";
import { linkOf } from "../family/outline.ts";

/** One branch of a session: to a named event, or to its end. */
export interface Branch extends FoundSession {
  readonly event?: string;
}

/**
 * The events of one branch from the session's first one on, in order, also those that a compaction hides: two branches
 * are compared by what was said, not by what a model would be given today.
 */
export async function* pathEvents(branch: Branch): AsyncGenerator<AgentEvent> {
  const { agent, event } = branch;
  const links: Links[] = [];
  let leaf: string | undefined;
  for await (const one of everyEvent(branch)) {
    links.push(linkOf(one));
    if (event !== undefined && isNamed(one, event)) leaf = one.number;
  }
  if (event !== undefined && leaf === undefined) {
    const name = nameOfHead(branch.head);
    throw new RepriseError("not_found", `There is no event ${event} in ${name}.`, {
      hint: `See its events with \`reprise show ${name}\`.`,
    });
  }
  const path = pathTo(links, { leaf, isTree: agent.capabilities.tree });
  for await (const one of everyEvent(branch)) if (path.has(one.number)) yield one;
}

/** What subagents said is theirs: their answer is in the session as a tool's result. */
async function* everyEvent({ agent, ref }: Branch): AsyncGenerator<AgentEvent> {
  for await (const batch of agent.read(ref, { allBranches: true })) {
    throwIfUnread(ref, batch.damage);
    for (const event of batch.events) if (event.sidechain === undefined) yield event;
  }
}
