import { liesBeside } from "../../../agents/event-name.ts";
import { type Reading, readSession } from "../../../agents/reading.ts";
import { type NamedSession, referenceTo, resolveReference } from "../../../agents/reference.ts";
import { RepriseError } from "../../../base/errors.ts";
import { limits } from "../../../base/limits.ts";
import { dayTime } from "../../../base/local-time.ts";
import { exportShape, json } from "../render/json.ts";
import { tallySentences } from "../render/tally-text.ts";
import { transcript, transcriptHeading } from "../render/transcript.ts";
import type { ViewOptions } from "../render/view.ts";
import type { Command, CommandContext, FlagSpec, Invocation } from "../run/command.ts";
import { noteStored } from "../sessions/note-stored.ts";
import { eventsBefore, type ListedPrompt, promptsIn } from "../sessions/prompts.ts";
import { type Selection, selectEvents } from "../sessions/select.ts";
import { withToolNames } from "../sessions/tool-names.ts";
import { type PagingOptions, printPaged } from "../terminal/pager.ts";
import { jsonLine, safeLine } from "../terminal/terminal-text.ts";
import { truncated } from "../terminal/width.ts";

/** Flags that say how much of tools and thinking a transcript has. */
export const viewFlags: readonly FlagSpec[] = [
  {
    flags: "--tools <how>",
    says: "tool calls: short (default), full, none",
    kind: "text",
    choices: ["short", "full", "none"],
  },
  { flags: "--thinking", says: "include the model's thinking", kind: "switch" },
  { flags: "--all-branches", says: "include abandoned branches", kind: "switch" },
];

/** How much a transcript shows, from its flags. */
export function viewFrom(
  { flags }: Invocation,
  fallback: ViewOptions = { tools: "short", thinking: false },
): ViewOptions {
  const tools = flags.text("tools") as ViewOptions["tools"] | undefined;
  return { tools: tools ?? fallback.tools, thinking: flags.isSet("thinking") || fallback.thinking };
}

/** `reprise show`: a readable transcript of any agent's session. */
export const show: Command = {
  name: "show",
  summary: "show a readable transcript of a session",
  details: `On a terminal the transcript opens in a pager, less unless PAGER names another: space shows the next page, / searches,
n and N go from prompt to prompt, q leaves. Around an event that is named, what programs put in is left out, and the next
answer is shown.`,
  args: [{ name: "<ref...>", says: "the session, or an event of it: ref@57" }],
  flags: [
    ...viewFlags,
    { flags: "-n, --last <count>", says: "show only this many of the last events", kind: "count" },
    { flags: "--from <event>", says: "begin at this event", kind: "event" },
    { flags: "--to <event>", says: "end at this event", kind: "event" },
    {
      flags: "--prompts",
      says: "list only the prompts: number for ref@57, time, how they begin",
      kind: "switch",
    },
    {
      flags: "--raw",
      says: "print the records as the agent wrote them, one JSON object per line",
      kind: "switch",
    },
  ],
  examples: [
    { line: "reprise show @last", says: "the newest session of this project" },
    { line: "reprise show rate limit --tools full", says: "by words of its title, tools in full" },
    { line: "reprise show @last --prompts", says: "what was asked, and how to ask something else" },
    { line: "reprise show codex:01a1e08b@12", says: "event 12 with a few around it" },
  ],
  json: `${exportShape}
With --prompts: { ref: string, prompts: { event: string, at?: string, text: string, before?: string }[] }`,
  run: async (invocation, context) => {
    const session = resolveReference(invocation.args.join(" "), context);
    await noteStored(session, context);
    await showSession(session, invocation, context);
  },
};

/** Prints a session as its flags ask; `paging` says how the pager is used. */
export async function showSession(
  session: NamedSession,
  invocation: Invocation,
  context: CommandContext,
  paging: PagingOptions = {},
): Promise<void> {
  const isRaw = invocation.flags.isSet("raw");
  const { reading, events } = openReading(session, invocation, !context.json && !isRaw);
  if (invocation.flags.isSet("prompts")) return showPrompts(session, events, context);
  if (context.json) {
    const pieces = json(session.head, events, { native: false, tally: reading.tally });
    for await (const piece of pieces) await context.out.write(piece);
    return;
  }
  const focus = session.event ?? paging.at;
  const pieces = isRaw
    ? rawLines(events)
    : pages({
        session,
        reading,
        events,
        invocation,
        context,
        ...(focus !== undefined && { focus }),
      });
  await printPaged(pieces, context, { ...paging, isTranscript: !isRaw });
}

async function showPrompts(
  session: NamedSession,
  events: Events,
  context: CommandContext,
): Promise<void> {
  const ref = referenceTo(session);
  const prompts: ListedPrompt[] = [];
  const befores = await eventsBefore(session);
  for await (const prompt of promptsIn(events, befores)) prompts.push(prompt);
  if (context.json) return context.out.writeJson({ ref, prompts });
  if (prompts.length === 0) return context.out.write("No prompts.\n");
  const { colours, out } = context;
  const width = Math.max(...prompts.map(({ event }) => event.length));
  const lines = prompts.map(({ event, at, text }) => {
    const line = `@${event.padEnd(width)}  ${dayTime(at).padEnd(16)}  ${text}`;
    return `${truncated(safeLine(line), out.isTerminal ? out.columns : limits.titleChars)}\n`;
  });
  const closing = insteadText(session, prompts);
  if (closing !== undefined) lines.push(`\n${colours.dim(safeLine(closing))}\n`);
  await printPaged(lines, context);
}

/** How to ask something else instead of a prompt: in one step where the agent can be started; undefined where nothing was said before any. */
function insteadText(session: NamedSession, prompts: readonly ListedPrompt[]): string | undefined {
  const later = prompts.filter(({ before }) => before !== undefined);
  const last = later.at(-1);
  if (last === undefined) return undefined;
  const others = later.length === 1 ? "" : " The number of any other prompt works, too.";
  const { resume, writer } = session.agent;
  const canResume = resume !== undefined && writer !== undefined;
  const command = (verb: string): string =>
    `\`reprise ${verb} ${referenceTo(session)}@${last.event} --before\``;
  const forking = `${command("fork")} only writes the copy that ends before it.`;
  return canResume
    ? `To ask something else instead of the last one: ${command("resume")}; ${forking}${others}`
    : `To ask something else instead of the last one: ${command("fork")}.${others}`;
}

type Events = ReturnType<typeof selectEvents>;

function openReading(
  session: NamedSession,
  { flags }: Invocation,
  isForPeople: boolean,
): { readonly reading: Reading; readonly events: Events } {
  const last = flags.number("last");
  const selection: Selection = {
    ...(flags.text("from") !== undefined && { from: flags.text("from")! }),
    ...(flags.text("to") !== undefined && { to: flags.text("to")! }),
    ...(last !== undefined && { last }),
    ...(session.event !== undefined && { focus: session.event }),
  };
  const isRanged = selection.from !== undefined || selection.to !== undefined;
  const isBeside = [selection.from, selection.to].some((name) => name && liesBeside(name));
  const reading = readSession(session, {
    // An event that was named is shown wherever it lies.
    allBranches: flags.isSet("allBranches") || session.event !== undefined || isBeside,
    ...(last !== undefined &&
      !isRanged &&
      session.event === undefined && { last: last + (isForPeople ? limits.eventsBefore : 0) }),
  });
  const named = isForPeople ? withToolNames(reading.events) : reading.events;
  const events = selectEvents(named, selection);
  return { reading, events: session.event === undefined ? events : atLeastOne(events, session) };
}

async function* atLeastOne(events: Events, session: NamedSession): Events {
  let found = false;
  for await (const event of events) {
    found = true;
    yield event;
  }
  if (found) return;
  throw new RepriseError("not_found", `The session has no event ${session.event}.`, {
    hint: `See its events with \`reprise show ${referenceTo(session)}\`.`,
  });
}

async function* pages(given: {
  readonly session: NamedSession;
  readonly reading: Reading;
  readonly events: Events;
  readonly invocation: Invocation;
  readonly context: CommandContext;
  /** The event that is pointed at, and shown whole. */
  readonly focus?: string;
}): AsyncGenerator<string> {
  const { session, context, focus } = given;
  // What cannot be read at all is an error before anything is printed.
  const first = await given.events.next();
  const { out, colours } = context;
  const width = out.isTerminal ? { columns: out.columns } : {};
  yield transcriptHeading(session.head, colours, { ...width, env: context.env });
  yield* transcript(resumed(first, given.events), {
    ...viewFrom(given.invocation),
    known: session.head,
    colours,
    ...width,
    ...(focus !== undefined && { focus }),
  });
  for (const sentence of tallySentences(given.reading.tally)) {
    yield `${context.colours.yellow(sentence)}\n`;
  }
}

async function* resumed(first: Awaited<ReturnType<Events["next"]>>, rest: Events): Events {
  if (first.done) return;
  yield first.value;
  yield* rest;
}

/** Each native record once, though several events came from it. */
async function* rawLines(events: Events): AsyncGenerator<string> {
  let before: unknown;
  for await (const event of events) {
    if (event.native !== undefined && event.native === before) continue;
    before = event.native;
    yield `${jsonLine(event.native ?? event.body)}\n`;
  }
}
