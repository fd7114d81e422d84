import { RepriseError } from "../../../base/errors.ts";
import type { EventId } from "../../../model/event.ts";
import type { SessionManager } from "../../../store/session-manager.ts";
import type { Command, CommandContext } from "../run/command.ts";
import { givenEvent } from "../sessions/given-event.ts";
import { openNative } from "../sessions/native.ts";
import { resolveReference } from "../sessions/reference.ts";
import { inputLines, objectOf } from "../terminal/stdin.ts";

/** `reprise append`: adds the events on standard input to a session. */
export const append: Command = {
  name: "append",
  summary: "add events from standard input to a session",
  details: `Each line is an event as docs/format.md has it, or a message: {"role":"user","content":"…"}.
All lines are appended in one write, or none of them. With --follow each line is appended as it
arrives, and its number is printed once it is safe.`,
  args: [{ name: "<ref...>", says: "the session" }],
  flags: [
    {
      flags: "--after <id>",
      says: "only if this is the last event (else conflict)",
      kind: "count",
    },
    { flags: "--wait <ms>", says: "how long to wait for another writer (5000)", kind: "count" },
    { flags: "--follow", says: "append each line as it arrives", kind: "switch" },
  ],
  examples: [
    {
      line: `echo '{"role":"user","content":"Hello"}' | reprise append @last`,
      says: "one message",
    },
    { line: "agent --emit-events | reprise append 0199 --follow", says: "a running agent's log" },
  ],
  json: "{ session: string, ids: number[], lastId: number }",
  changes: () => true,
  run: async ({ args, flags }, context) => {
    const session = openNative(resolveReference(args.join(" "), context), context, {
      waitMs: flags.number("wait"),
    });
    const after = flags.number("after");
    try {
      const ids = flags.isSet("follow")
        ? await appendEach(session, after, context)
        : await appendAll(session, after);
      await report(session, ids, context);
    } finally {
      await session.close();
    }
  },
};

async function appendAll(
  session: SessionManager,
  after: EventId | undefined,
): Promise<readonly EventId[]> {
  const bodies = [];
  for await (const line of inputLines(process.stdin)) {
    bodies.push(givenEvent(objectOf(line), line.number));
  }
  if (bodies.length === 0) throw new RepriseError("bad_input", "There are no events on the input.");
  const events = await session.appendAll(bodies, after === undefined ? {} : { after });
  return events.map(({ id }) => id);
}

async function appendEach(
  session: SessionManager,
  after: EventId | undefined,
  context: CommandContext,
): Promise<readonly EventId[]> {
  let last = after;
  const ids: EventId[] = [];
  for await (const line of inputLines(process.stdin)) {
    const body = givenEvent(objectOf(line), line.number);
    const event = await session.append(body, last === undefined ? {} : { after: last });
    if (after !== undefined) last = event.id;
    ids.push(event.id);
    if (!context.json) await context.out.write(`${event.id}\n`);
  }
  return ids;
}

async function report(
  session: SessionManager,
  ids: readonly EventId[],
  context: CommandContext,
): Promise<void> {
  const lastId = session.getLeafId();
  if (context.json) return context.out.writeJson({ session: session.getSessionId(), ids, lastId });
  const events = ids.length === 1 ? "1 event" : `${ids.length} events`;
  context.out.note(`Appended ${events}; the last is ${lastId}.`);
}
