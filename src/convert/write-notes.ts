import type { Agent, Written } from "../agents/contract.ts";
import type { Environment } from "../base/env.ts";
import { RepriseError } from "../base/errors.ts";
import type { JsonObject } from "../base/json.ts";
import type { EventId } from "../model/event.ts";
import type { SessionHead } from "../model/head.ts";
import type { OutgoingNotes } from "../model/outgoing.ts";
import { Addition } from "../store/addition.ts";
import { conversionKind } from "../store/copies.ts";
import { userHome } from "../store/home.ts";

/** Notes to write, where, and of which session. */
export interface NotesRequest {
  readonly head: SessionHead;
  readonly notes: OutgoingNotes;
  readonly target: Agent;
  readonly env: Environment;
  /** The project they are for; the session's own folder if absent. */
  readonly cwd?: string | undefined;
  /** What another program keeps in the same place may be replaced, after a backup. */
  readonly replace?: boolean;
}

/**
 * Writes what a session comes to into the store of a program that holds notes, in the order of every addition; what was
 * written is read back. `reprise undo` undoes it.
 */
export async function writeNotes(
  request: NotesRequest,
): Promise<{ readonly written: Written; readonly entry: EventId }> {
  const { head, notes, target, env, replace = false } = request;
  if (target.notesWriter === undefined)
    throw new RepriseError("unsupported", `Notes cannot be written for ${target.title}.`);
  const writer = await target.notesWriter();
  const { agent, session, createdAt, updatedAt, title, git, model } = head;
  const told = (written: Written): JsonObject => {
    const to = { agent: written.ref.agent, session: written.ref.session };
    return { from: { agent, session }, to, written, notes: true };
  };
  let made: Written | undefined;
  const intend = (written: Written): void => {
    made = written;
    addition.intend(told(written));
  };
  const takeBack = async (): Promise<unknown> => made && writer.takeBack(made, env);
  const addition = new Addition(userHome(env), conversionKind, takeBack);
  const about = {
    cwd: request.cwd ?? head.cwd ?? env.cwd,
    ...(title !== undefined && { title }),
    ...(git !== undefined && { git }),
    ...(model !== undefined && { model }),
    createdAt: createdAt ?? updatedAt,
    updatedAt,
    from: { agent, session },
  };
  return addition.during(async () => {
    const { staging } = addition;
    const written = await writer.write(notes, { env, about, staging, intend, replace });
    intend(written);
    await readBack(target, written);
    return { written, entry: addition.record({ ...told(written), losses: [] }) };
  });
}

/** Throws `damaged` if the agent's own reader finds nothing in what was written. */
async function readBack(agent: Agent, { ref }: Written): Promise<void> {
  for await (const { events } of agent.read(ref)) if (events.length > 0) return;
  throw new RepriseError("damaged", `What was written for ${agent.title} was not read back.`);
}
