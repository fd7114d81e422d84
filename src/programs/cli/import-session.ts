import { join } from "node:path";
import type { AgentEvent } from "../../agents/contract.ts";
import { RepriseError } from "../../base/errors.ts";
import { sessionIdProblem, uuidv7 } from "../../base/ids.ts";
import type { EventBody, EventId, SessionStart } from "../../model/event.ts";
import type { SessionHead } from "../../model/head.ts";
import { draftOf } from "../../store/draft.ts";
import { FileLog } from "../../store/file-log.ts";
import { fileNameOf } from "../../store/home.ts";
import { findSessionFile } from "../../store/locate.ts";
import { projectFolderName } from "../../store/project.ts";
import { startOf } from "../../store/start.ts";
import type { CommandContext } from "./command.ts";
import { homeOf } from "./native.ts";

/** A session to bring into our store: what is known of it, and its events in order. */
export interface ImportSource {
  readonly head: SessionHead;
  readonly events: AsyncIterable<AgentEvent>;
}

export interface Imported {
  readonly session: string;
  readonly file: string;
  readonly events: number;
  readonly lastId: EventId;
  /** Events whose place in the tree could not be kept. */
  readonly left: number;
}

const batchEvents = 256;

/**
 * Writes a session into our store, event by event, with their times. Its own id is kept where it is free.
 * Numbers inside events (rewinds, compactions) are moved along with the events they name.
 */
export async function importSession(
  { head, events }: ImportSource,
  context: CommandContext,
): Promise<Imported> {
  const iterator = events[Symbol.asyncIterator]();
  let next = await iterator.next();
  const first = next.done ? undefined : next.value.body;
  const start = startFor(head, first?.type === "session_start" ? first : undefined, context);
  const home = homeOf(context);
  const folder = join(home.sessions, projectFolderName(start.project!));
  const file = join(folder, fileNameOf(start.session));
  const log = FileLog.create(home, file, start, { sync: "none" });
  const places = new Map<string, EventId>();
  let left = 0;
  let count = 0;
  try {
    while (!next.done) {
      const batch: AgentEvent[] = [];
      while (!next.done && batch.length < batchEvents) {
        batch.push(next.value);
        next = await iterator.next();
      }
      for (const event of batch) {
        const body = movedBody(event.body, places);
        if (body === "start") {
          places.set(event.number, log.start.id);
          continue;
        }
        if (body === undefined) {
          left += 1;
          continue;
        }
        const draft = { ...draftOf(body), ...(event.at !== undefined && { at: event.at }) };
        const [written] = log.appendSync([draft]);
        places.set(event.number, written!.id);
        count += 1;
      }
    }
    // A fork's base must be durable; naming the end makes it so here too.
    log.forkBase();
    return { session: start.session, file, events: count, lastId: log.lastId(), left };
  } finally {
    await log.close();
  }
}

function startFor(
  head: SessionHead,
  recorded: SessionStart | undefined,
  context: CommandContext,
): SessionStart {
  const cwd = head.cwd ?? context.folder;
  const made = startOf(cwd, {}, context.env);
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
  if (sessionIdProblem(wanted) !== undefined) return uuidv7();
  const taken = findSessionFile(homeOf(context), wanted, { bases: true }) !== undefined;
  return taken ? uuidv7() : wanted;
}

/** The body with the numbers it names moved along; undefined where it names what is not there. */
function movedBody(
  body: EventBody,
  places: ReadonlyMap<string, EventId>,
): EventBody | "start" | undefined {
  const moved = (id: EventId): EventId | undefined => places.get(String(id));
  switch (body.type) {
    case "session_start":
      return "start";
    case "meta":
      // The writer repeats these itself.
      return body.repeated ? undefined : body;
    case "rewind": {
      const to = moved(body.to);
      const from = moved(body.from);
      return to === undefined || from === undefined ? undefined : { ...body, to, from };
    }
    case "compaction": {
      const { keepFrom, ...rest } = body;
      const kept = keepFrom === undefined ? undefined : moved(keepFrom);
      return { ...rest, ...(kept !== undefined && { keepFrom: kept }) };
    }
    case "restore": {
      const checkpoint = moved(body.checkpoint);
      return checkpoint === undefined ? undefined : { ...body, checkpoint };
    }
    default:
      return body;
  }
}

/** Refuses what does not look like an exported session. */
export function notAnExport(why: string): RepriseError {
  return new RepriseError("bad_input", `This is not an exported session: ${why}.`, {
    hint: "Import what `reprise export --format json` or jsonl wrote, or name a session.",
  });
}
