import type { AgentEvent } from "../../../agents/contract.ts";
import { isOfNamed, liesBeside } from "../../../agents/event-name.ts";
import { type Reading, readSession } from "../../../agents/reading.ts";
import { type NamedSession, referenceTo, resolveReference } from "../../../agents/reference.ts";
import { RepriseError } from "../../../base/errors.ts";
import { limits } from "../../../base/limits.ts";
import { isSaid, isSessionPrompt } from "../../../model/prompt.ts";
import { exportShape, json } from "../render/json.ts";
import { tallySentences } from "../render/tally-text.ts";
import { transcript, transcriptHeading } from "../render/transcript.ts";
import type { ViewOptions } from "../render/view.ts";
import type { Command, CommandContext, FlagSpec, Invocation } from "../run/command.ts";
import { noteStored } from "../sessions/note-stored.ts";
import { notInContext, printPrompts } from "../sessions/print-prompts.ts";
import { promptsAside } from "../sessions/prompts.ts";
import { type Selection, selectEvents } from "../sessions/select.ts";
import { withToolNames } from "../sessions/tool-names.ts";
import { type PagingOptions, printPaged } from "../terminal/pager.ts";
import { jsonLine } from "../terminal/terminal-text.ts";
import { wrapped } from "../terminal/width.ts";

/** Flags that say how much of tools and thinking a transcript has. */
export const viewFlags: readonly FlagSpec[] = [
  {
    flags: "--tools <how>",
    says: "tool calls: short (default), full, none",
    kind: "text",
    choices: ["short", "full", "none"],
  },
  { flags: "--thinking", says: "include the model's thinking", kind: "switch" },
  {
    flags: "--all-branches",
    says: "include what was compacted away, and abandoned branches",
    kind: "switch",
  },
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
answer is shown. --prompts lists every prompt of the session, also those that were compacted away or lie on abandoned branches,
with a mark; \`reprise list --prompts\` and \`reprise search\` count the same.`,
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
    { flags: "--full", says: "with --prompts: each prompt in full", kind: "switch" },
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
With --prompts: { ref: string, prompts: { event: string, at?: string, text: string, live: boolean, before?: string }[] }
  text: all of it; live: it is in the context`,
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
  const { flags } = invocation;
  const isRaw = flags.isSet("raw");
  if (flags.isSet("full") && !flags.isSet("prompts")) {
    throw new RepriseError("usage", "--full goes with --prompts.", {
      hint: "Calls and results are shown in full with --tools full.",
    });
  }
  const isForPeople = !context.json && !isRaw;
  const asked = { isForPeople, at: paging.at };
  const { reading, events } = await openReading(session, invocation, asked);
  const isFull = flags.isSet("full") && !context.json;
  if (flags.isSet("prompts") && !isFull) return printPrompts(session, events, context);
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

type Events = ReturnType<typeof selectEvents>;

async function openReading(
  session: NamedSession,
  { flags }: Invocation,
  { isForPeople, at }: { readonly isForPeople: boolean; readonly at: string | undefined },
): Promise<{ readonly reading: Reading; readonly events: Events }> {
  const last = flags.number("last");
  const lastOnes = last === undefined ? {} : { last };
  const ends = [flags.text("from"), flags.text("to")];
  const isRanged = ends.some((name) => name !== undefined);
  const isPrompts = flags.isSet("prompts");
  const { event } = session;
  const allBranches =
    isPrompts ||
    flags.isSet("allBranches") ||
    event !== undefined ||
    (await isElsewhere([...ends, at], session));
  const isEnd = !isRanged && !isPrompts && event === undefined && last !== undefined;
  const reading = readSession(session, {
    allBranches,
    ...(isEnd && { last: last + (isForPeople ? limits.eventsBefore : 0) }),
  });
  const named = isForPeople ? withToolNames(reading.events) : reading.events;
  const selection: Selection = {
    ...(ends[0] !== undefined && { from: ends[0] }),
    ...(ends[1] !== undefined && { to: ends[1] }),
    ...(event !== undefined && { focus: event }),
    ...(!isPrompts && lastOnes),
  };
  const chosen = selectEvents(named, selection);
  const isNamed = isRanged || event !== undefined;
  const events = isNamed ? atLeastOne(chosen, session) : chosen;
  return { reading, events: isPrompts ? selectEvents(promptsOnly(events), lastOnes) : events };
}

async function* promptsOnly(events: Events): Events {
  for await (const event of events) if (isSessionPrompt(event)) yield event;
}

/** Whether one of these events is not in the context: what is named is shown wherever it lies. */
async function isElsewhere(
  names: readonly (string | undefined)[],
  session: NamedSession,
): Promise<boolean> {
  const missing = new Set(names.filter((name) => name !== undefined));
  if (missing.size === 0) return false;
  if ([...missing].some(liesBeside)) return true;
  for await (const event of readSession(session).events) {
    for (const name of missing) if (isOfNamed(event, name)) missing.delete(name);
    if (missing.size === 0) return false;
  }
  return true;
}

async function* atLeastOne(events: Events, session: NamedSession): Events {
  let found = false;
  for await (const event of events) {
    found = true;
    yield event;
  }
  if (found) return;
  const which = session.event === undefined ? "events in this range" : `event ${session.event}`;
  throw new RepriseError("not_found", `The session has no ${which}.`, {
    hint: `See its events with \`reprise show ${referenceTo(session)} --all-branches\`.`,
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
  const opening = await openingOf(given.events);
  const { out, colours } = context;
  const width = out.isTerminal ? { columns: out.columns } : {};
  yield transcriptHeading(session.head, colours, { ...width, env: context.env });
  const above = opening.at(-1)?.body.type === "compaction" ? await promptsAside(session) : 0;
  if (above > 0) {
    const lines = wrapped(
      aboveText(above),
      out.isTerminal ? out.columns : Number.POSITIVE_INFINITY,
    );
    yield `${lines.map(colours.dim).join("\n")}\n\n`;
  }
  yield* transcript(resumed(opening, given.events), {
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

/** The first events, to the first of the conversation, which is a compaction where one hid what came before. */
async function openingOf(events: Events): Promise<readonly AgentEvent[]> {
  const opening: AgentEvent[] = [];
  while (opening.length < limits.eventsBefore) {
    const next = await events.next();
    if (next.done) break;
    opening.push(next.value);
    if (next.value.body.type === "compaction" || isSaid(next.value.body)) break;
  }
  return opening;
}

/** Says that a transcript does not begin with what was asked first. */
function aboveText(prompts: number): string {
  return `${notInContext(prompts)}: --prompts lists them, --all-branches shows them with their answers.`;
}

async function* resumed(opening: readonly AgentEvent[], rest: Events): Events {
  yield* opening;
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
