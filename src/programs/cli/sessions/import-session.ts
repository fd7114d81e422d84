import type { AgentEvent } from "../../../agents/contract.ts";
import type { FoundSession } from "../../../agents/find-sessions.ts";
import { readSession } from "../../../agents/reading.ts";
import { isRepriseError, RepriseError } from "../../../base/errors.ts";
import { checkSessionId, uuidv7 } from "../../../base/ids.ts";
import { withoutAbsent } from "../../../base/json.ts";
import { neededSecret } from "../../../log/seal.ts";
import type { EventBody, SessionStart } from "../../../model/event.ts";
import type { SessionHead } from "../../../model/head.ts";
import {
  type IncomingEvent,
  importedBefore,
  importSession as importInto,
} from "../../../store/import.ts";
import {
  type GroupedSession,
  type ImportedGroup,
  importGroup,
} from "../../../store/import-group.ts";
import { refuseUsedId } from "../../../store/locate.ts";
import { ownAgent } from "../../../store/own-agent.ts";
import { startOf } from "../../../store/start.ts";
import type { CommandContext } from "../run/command.ts";
import { homeOf } from "./native.ts";

/** A session to bring into our store: what is known of it, and its events in order. */
export interface ImportSource {
  readonly head: SessionHead;
  readonly events: AsyncIterable<AgentEvent>;
  /** Its file, where no store holds it. */
  readonly path?: string;
}

/** What an import made. */
export interface Imported {
  readonly session: string;
  readonly file: string;
  readonly events: number;
  /** Events that name others which are not there. */
  readonly left: number;
  readonly entry: number;
  /** The session that was made of it before, where that is still there. */
  readonly before?: string;
}

/** Brings a session into our store with its times; its own id is kept where it is free. */
export async function importSession(
  { head, events, path }: ImportSource,
  context: CommandContext,
): Promise<Imported> {
  const iterator = events[Symbol.asyncIterator]();
  const first = await iterator.next();
  const body = first.done ? undefined : first.value.body;
  const recorded = body?.type === "session_start" ? body : undefined;
  const start = startFor(head, recorded, context);
  const counts = { events: 0, left: 0 };
  const home = homeOf(context);
  const from = { agent: head.agent, session: head.session, ...(path !== undefined && { path }) };
  const before = importedBefore(home, from);
  const { session, file, entry } = await importInto(home, start, {
    events: incoming(first, iterator, { counts, liveOnly: head.agent !== ownAgent }),
    createdAt: head.createdAt,
    // What comes from a sealed session is sealed.
    ...(head.sealed === true && { secret: neededSecret(context.env.variables) }),
    from,
  });
  return { session, file, ...counts, entry, ...(before !== undefined && { before }) };
}

/** Brings all conversations of an export into our store, aside from the list; one undo takes them back. */
export async function importExport(
  path: string,
  sessions: readonly FoundSession[],
  context: CommandContext,
  onEach: () => void,
): Promise<ImportedGroup> {
  async function* each(): AsyncGenerator<GroupedSession> {
    const taken = new Set<string>();
    for (const session of sessions) {
      const { head } = session;
      const start = { ...startFor(head, undefined, context), ...aloneIn(head) };
      // Two files of an export may hold one conversation.
      const id = taken.has(start.session) ? uuidv7() : start.session;
      taken.add(id);
      const events = readSession(session).events;
      const counts = { events: 0, left: 0 };
      onEach();
      yield {
        start: { ...start, session: id },
        source: {
          events: incoming(await events.next(), events, { counts, liveOnly: true }),
          createdAt: head.createdAt,
          from: { agent: head.agent, session: head.session },
        },
      };
    }
  }
  return importGroup(homeOf(context), path, each());
}

/** A conversation on the web ran in no folder: its export is its group. */
function aloneIn({ project }: SessionHead): Partial<SessionStart> {
  return { aside: true, ...(project !== undefined && { project }) };
}

/** The events to write: without first lines and repetitions, which the writer makes itself. */
async function* incoming(
  first: IteratorResult<AgentEvent>,
  rest: AsyncIterator<AgentEvent>,
  options: { readonly counts: { events: number; left: number }; readonly liveOnly: boolean },
): AsyncGenerator<IncomingEvent> {
  const { counts, liveOnly } = options;
  const seen = new Set<string>();
  for (let next = first; !next.done; next = await rest.next()) {
    const { number, at, body, live } = next.value;
    // Another agent's abandoned branches have no place in a log that rewinds did not make.
    if (liveOnly && !live) continue;
    const isOurs =
      body.type === "session_start" || (body.type === "meta" && body.repeated === true);
    if (!isOurs && !namesOnly(seen, body)) {
      counts.left += 1;
      continue;
    }
    seen.add(number);
    if (isOurs) continue;
    counts.events += 1;
    yield { number, at, body };
  }
}

/** Whether everything an event names was there before it: a rewind may lead out of what was exported. */
function namesOnly(seen: ReadonlySet<string>, body: EventBody): boolean {
  if (body.type === "rewind") return seen.has(String(body.to)) && seen.has(String(body.from));
  return body.type !== "restore" || seen.has(String(body.checkpoint));
}

function startFor(
  head: SessionHead,
  recorded: SessionStart | undefined,
  context: CommandContext,
): SessionStart {
  const { cwd, project, git, ...rest } = startOf(head.cwd ?? context.folder, {}, context.env);
  const made = head.aside === true ? rest : { ...rest, ...withoutAbsent({ cwd, project, git }) };
  const { base: _base, seal: _seal, ...known } = recorded ?? ({} as Partial<SessionStart>);
  return {
    ...made,
    agent: { name: head.agent, ...(head.version !== undefined && { version: head.version }) },
    ...(head.model !== undefined && { model: head.model }),
    ...(head.title !== undefined && head.titled === true && { title: head.title }),
    ...(head.tags !== undefined && { tags: head.tags }),
    ...(head.git !== undefined && { git: head.git }),
    ...known,
    format: made.format,
    session: freeId(head.session, context),
    ...(recorded === undefined && { importedFrom: { agent: head.agent, session: head.session } }),
  };
}

function freeId(wanted: string, context: CommandContext): string {
  const home = homeOf(context);
  try {
    refuseUsedId(home, home.sessions, checkSessionId(wanted));
    return wanted;
  } catch (error) {
    if (isRepriseError(error, "bad_id") || isRepriseError(error, "session_exists")) return uuidv7();
    throw error;
  }
}

/** Refuses an exported session that is damaged or of another version. */
export function notAnExport(why: string): RepriseError {
  return refused(`This is not an exported session: ${why}.`);
}

/** Refuses a file that is of no kind that can be imported. */
export function notASession(): RepriseError {
  return refused("This is neither an exported session nor a transcript that an agent wrote.");
}

function refused(message: string): RepriseError {
  return new RepriseError("bad_input", message, {
    hint: "Import what `reprise export --format json` or jsonl wrote, an agent's transcript, an export of ChatGPT, Claude.ai or Gemini, or name a session.",
  });
}
