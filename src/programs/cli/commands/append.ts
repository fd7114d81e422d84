import { resolveReference } from "../../../agents/reference.ts";
import { RepriseError } from "../../../base/errors.ts";
import { checkSessionId } from "../../../base/ids.ts";
import type { EventId } from "../../../model/event.ts";
import { findSessionFile } from "../../../store/locate.ts";
import { ownAgent } from "../../../store/own-agent.ts";
import { SessionManager } from "../../../store/session-manager.ts";
import type { Command, CommandContext, Invocation } from "../run/command.ts";
import { givenEvent } from "../sessions/given-event.ts";
import { homeOf, managerOptions, openNative } from "../sessions/native.ts";
import { inputLines, objectOf } from "../terminal/stdin.ts";

/** `reprise append`: adds the events on standard input to a session. */
export const append: Command = {
  name: "append",
  summary: "add events from standard input to a session",
  details: `Each line is an event as docs/format.md describes it, or a message: {"role":"user","content":"…"}. All lines are
appended in one write, or none. With --follow each line is appended as it arrives, and its number is printed once it is on
the disk.`,
  args: [{ name: "<ref...>", says: "the session" }],
  flags: [
    {
      flags: "--after <id>",
      says: "append only if this is the last event",
      kind: "count",
    },
    {
      flags: "--wait <ms>",
      says: "wait this long for another writer (default 5000)",
      kind: "count",
    },
    { flags: "--follow", says: "append each line as it arrives", kind: "switch" },
    {
      flags: "--begin",
      says: "create the session if there is none with this id",
      kind: "switch",
    },
  ],
  examples: [
    {
      line: `echo '{"role":"user","content":"Hello"}' | reprise append @last`,
      says: "one message",
    },
    {
      line: 'reprise append "$(reprise continue)" --begin < events.jsonl',
      says: "continue in this project, whether there is a session or not",
    },
    { line: "agent --emit-events | reprise append 0199 --follow", says: "a running agent's log" },
  ],
  json: "{ session: string, ids: number[], lastId: number }",
  changes: () => true,
  run: async ({ args, flags }, context) => {
    const target = targetOf({ args, flags }, context);
    const after = flags.number("after");
    try {
      const ids = flags.isSet("follow")
        ? await appendEach(target, after, context)
        : await appendAll(target, after);
      await report(target, ids, context);
    } finally {
      await target.close();
    }
  },
};

/** The session to append to. */
interface Target {
  session(): SessionManager;
  isThere(): boolean;
  close(): Promise<void>;
}

/** One that is to begin is made when there is an event for it; every other is opened before the input is read. */
function targetOf({ args, flags }: Invocation, context: CommandContext): Target {
  const text = args.join(" ");
  const id = flags.isSet("begin") ? freeId(text, context) : undefined;
  const open = (): SessionManager =>
    id === undefined
      ? openNative(resolveReference(text, context), context, { waitMs: flags.number("wait") })
      : SessionManager.create(context.folder, undefined, { ...managerOptions(context), id });
  let opened = id === undefined ? open() : undefined;
  return {
    session() {
      opened ??= open();
      return opened;
    },
    isThere: () => opened !== undefined,
    close: async () => opened?.close(),
  };
}

/** The id of a session that is not there yet; undefined if it is. */
function freeId(text: string, context: CommandContext): string | undefined {
  const prefix = `${ownAgent}:`;
  const id = checkSessionId(text.startsWith(prefix) ? text.slice(prefix.length) : text);
  return findSessionFile(homeOf(context), id) === undefined ? id : undefined;
}

async function appendAll(target: Target, after: EventId | undefined): Promise<readonly EventId[]> {
  const bodies = [];
  for await (const line of inputLines(process.stdin)) {
    bodies.push(givenEvent(objectOf(line), line.number));
  }
  if (bodies.length === 0) throw noEvents();
  const events = await target.session().appendAll(bodies, { after: after ?? "any" });
  return events.map(({ id }) => id);
}

async function appendEach(
  target: Target,
  after: EventId | undefined,
  context: CommandContext,
): Promise<readonly EventId[]> {
  let last = after;
  const ids: EventId[] = [];
  for await (const line of inputLines(process.stdin)) {
    const body = givenEvent(objectOf(line), line.number);
    const event = await target.session().append(body, { after: last ?? "any" });
    if (after !== undefined) last = event.id;
    ids.push(event.id);
    if (!context.json) await context.out.write(`${event.id}\n`);
  }
  if (ids.length === 0 && !target.isThere()) throw noEvents();
  return ids;
}

function noEvents(): RepriseError {
  return new RepriseError("bad_input", "There are no events on the input.");
}

async function report(
  target: Target,
  ids: readonly EventId[],
  context: CommandContext,
): Promise<void> {
  const session = target.session();
  const lastId = session.getLeafId();
  if (context.json) return context.out.writeJson({ session: session.getSessionId(), ids, lastId });
  const events = ids.length === 1 ? "1 event" : `${ids.length} events`;
  context.out.note(`Appended ${events}; the last is ${lastId}.`);
}
