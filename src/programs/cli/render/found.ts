import type { Found, FoundEvent, FoundInSession, Mention } from "../../../catalog/query/found.ts";
import { type SearchRequest, understand } from "../../../catalog/query/request.ts";
import { timesOf } from "../../../catalog/query/session-filter.ts";
import type { Snippet } from "../../../catalog/query/snippet.ts";
import type { Colours } from "../terminal/colours.ts";
import { jsonLine, safeLine } from "../terminal/terminal-text.ts";
import { firstColumns, lastColumns, padded, textWidth, truncated } from "../terminal/width.ts";
import { count } from "./count.ts";
import { eventScoreText, scoreJson, sessionScoreText } from "./score.ts";
import { isoDay, relativeTime, spanText } from "./time.ts";

/** What printing an answer needs to know. */
export interface FoundOptions {
  readonly colours: Colours;
  readonly nowMs: number;
  readonly out: { readonly isTerminal: boolean; readonly columns: number };
  readonly request: SearchRequest;
  /** Print what each score is made of. */
  readonly explain: boolean;
}

/** How events of a kind are called. */
const kindNames: Readonly<Record<FoundEvent["kind"], string>> = {
  title: "title",
  user: "user",
  assistant: "assistant",
  thinking: "thinking",
  tool_use: "call",
  tool_result: "result",
  summary: "summary",
  system: "system",
  note: "note",
  delegated: "delegated",
};

/** An answer for people: sessions with their best events, and what can be typed next. */
export function foundText(found: Found, options: FoundOptions): string {
  const { colours } = options;
  const blocks: string[] = [];
  for (const { typed, used } of found.instead) {
    blocks.push(colours.yellow(`No results for ${quoted(typed)}. Showing ${quoted(used)}.\n`));
  }
  if (found.sessions.length === 0) blocks.push(nothingText(found, options));
  else blocks.push(sessionsText(found, options));
  const footer = footerText(found, options);
  if (footer !== "") blocks.push(footer);
  return blocks.join("\n");
}

/** That nothing was found; where a time was asked for, what there is at others. */
function nothingText({ otherTime }: Found, { request, nowMs }: FoundOptions): string {
  const { query } = understand(request);
  const { since, until } = timesOf(query.filters, nowMs);
  if (since === undefined && until === undefined) return "Nothing was found.\n";
  const span = spanText(since && since * 1000, until && until * 1000);
  if (otherTime === undefined) return `Nothing was found ${span}, nor at any other time.\n`;
  return `Nothing was found ${span}.\nThe newest mention is of ${isoDay(Date.parse(otherTime.at))}: ${safeLine(placeOf(otherTime))}\n`;
}

/** Where a title has less room beside what is said of its session, it gets a line of its own. */
const leastTitle = 20;

/** What was said is not cut shorter than this. */
const leastSnippet = 14;

/** The sessions of an answer, a block for each. */
export function sessionsText(found: Found, options: FoundOptions): string {
  return found.sessions.map((session) => sessionText(session, found, options)).join("\n");
}

function sessionText(session: FoundInSession, found: Found, options: FoundOptions): string {
  const { colours, out, nowMs } = options;
  const { facts } = session;
  const title = titleText(session);
  const place = facts.cwd === undefined ? [] : [safeLine(facts.cwd.split(/[/\\]/).at(-1) ?? "")];
  const said = found.order === "best" ? undefined : session.events[0]?.at;
  const age = said === undefined ? relativeTime(facts.updatedMs, nowMs) : isoDay(Date.parse(said));
  const about = [facts.agent, ...place, age, ...(session.gone ? ["file is gone"] : [])].join(" · ");
  const room = out.isTerminal ? out.columns - textWidth(about) - 3 : 100;
  const isNarrow = room < leastTitle;
  const lines = isNarrow
    ? [
        colours.bold(truncated(title, out.columns)),
        `  ${colours.dim(truncated(about, out.columns - 2))}`,
      ]
    : [`${colours.bold(truncated(title, room))}  ${colours.dim(about)}`];
  const reference = referenceOf(session);
  const prompts = promptsText(session, options);
  lines.push(`  ${colours.cyan(reference)}${isNarrow || prompts === "" ? "" : `  ${prompts}`}`);
  if (isNarrow && prompts !== "") lines.push(`  ${prompts}`);
  if (options.explain && session.score !== undefined) {
    lines.push(`  ${colours.dim(sessionScoreText(session.score))}`);
  }
  const width = Math.max(...session.events.map(({ number }) => number.length + 1), 1);
  for (const event of session.events) {
    lines.push(eventLine(event, width, options));
    if (!options.explain || event.score === undefined) continue;
    lines.push(`  ${" ".repeat(width)}  ${colours.dim(eventScoreText(event.score, found.sought))}`);
  }
  const rest = session.total - session.events.length;
  if (rest > 0) lines.push(colours.dim(`  ${count(rest, "more place")}`));
  return `${lines.join("\n")}\n`;
}

/** What a person asked first, where the title does not say it, and how often a person asked in all. */
function promptsText({ prompt, prompts }: FoundInSession, { colours, out }: FoundOptions): string {
  const all = prompts < 2 ? "" : `${count(prompts, "prompt")} in this session`;
  const said = prompt === undefined ? "" : safeLine(prompt.replace(/\s+/g, " ")).trim();
  if (said === "") return colours.dim(all);
  const room = out.isTerminal ? Math.max(leastSnippet, out.columns - 85) : 80;
  const first = `begins with ${quoted(truncated(said, room))}`;
  return colours.dim(all === "" ? first : `${first}; ${all}`);
}

/** A session's title on one line, or what stands for it. */
export function titleText({ facts }: FoundInSession): string {
  const title = safeLine(facts.title ?? "").trim();
  return title === "" ? "(no title)" : title;
}

/** The reference that names a found session whatever else is there. */
export function referenceOf({ ref, facts }: FoundInSession): string {
  return `${ref.agent}:${safeLine(facts.session)}`;
}

function eventLine(event: FoundEvent, width: number, { colours, out }: FoundOptions): string {
  const number = padded(event.number === "" ? "" : `@${event.number}`, width);
  const kind = padded(kindNames[event.kind], 9);
  const lead = `  ${number}  ${kind}  `;
  const room = out.isTerminal
    ? Math.max(leastSnippet, out.columns - lead.length)
    : Number.POSITIVE_INFINITY;
  // What was called has half of the room at most.
  const called = event.call === undefined ? "" : safeLine(event.call);
  const call = called === "" ? "" : `${out.isTerminal ? truncated(called, room >> 1) : called} → `;
  const rest = room - textWidth(call);
  const text = event.snippet === undefined ? "" : snippetText(event.snippet, rest, colours);
  return `  ${colours.cyan(number)}  ${colours.dim(kind)}  ${call}${text}`;
}

/** A snippet with what was found marked, no wider than the room there is. */
export function snippetText(snippet: Snippet, room: number, colours: Colours): string {
  const shown = fitted(snippet, room);
  let text = "";
  let at = 0;
  for (const [start, end] of shown.marks) {
    if (start < at) continue;
    text += safeLine(shown.text.slice(at, start));
    text += colours.bold(colours.yellow(safeLine(shown.text.slice(start, end))));
    at = end;
  }
  return text + safeLine(shown.text.slice(at));
}

/** The part of a snippet that fits, with the first mark in it. */
function fitted({ text, marks }: Snippet, room: number): Snippet {
  if (textWidth(text) <= room) return { text, marks };
  const first = marks[0]?.[0] ?? 0;
  // A quarter of the room is for what comes before it; all that the rest leaves where that is more.
  const lead = Math.max(Math.floor(room / 4), room - textWidth(text.slice(first)));
  const start = first - lastColumns(text.slice(0, first), lead).length;
  const shown = firstColumns(text.slice(start), room);
  return {
    text: shown,
    marks: marks
      .filter(([from, to]) => from >= start && to <= start + shown.length)
      .map(([from, to]) => [from - start, to - start] as const),
  };
}

function footerText(found: Found, { colours, out }: FoundOptions): string {
  const [first] = found.sessions;
  const parts: string[] = [];
  parts.push(...amountText(found));
  if (found.leftOut !== undefined)
    parts.push(`${count(found.leftOut, "session")} with only some of the words: without --sort.`);
  const { indexed, streamed, sealed } = found.freshness;
  if (indexed > 0) parts.push(`${counted(indexed, "session was", "sessions were")} indexed now.`);
  if (streamed > 0 && found.freshness.sessions > streamed)
    parts.push(
      `${counted(streamed, "session was searched in its file", "sessions were searched in their files")}, the others in the index.`,
    );
  if (sealed > 0)
    parts.push(`${counted(sealed, "sealed session was", "sealed sessions were")} not looked into.`);
  if (first !== undefined && out.isTerminal) {
    const number = first.events.find((event) => event.number !== "")?.number;
    const place = number === undefined ? referenceOf(first) : `${referenceOf(first)}@${number}`;
    parts.push(`Open one with: reprise show ${place}`);
  }
  return parts.length === 0 ? "" : `${colours.dim(parts.join("\n"))}\n`;
}

/** How many sessions were found, and how to see those that are not shown. */
function amountText(found: Found): readonly string[] {
  const { sessions, totalSessions, haveAll, more, newestFirst, order } = found;
  const hidden = totalSessions - sessions.length;
  if (hidden > 0 && order === "best" && haveAll !== undefined && !more && haveAll < totalSessions) {
    const some = count(totalSessions - haveAll, haveAll === 0 ? "session" : "more session");
    const all =
      haveAll === 0 ? "No session has" : `${counted(haveAll, "session has", "sessions have")}`;
    return [`${all} all the words, ${some} some of them. See all with -n 0.`];
  }
  if (hidden > 0) {
    const those = newestFirst ? "older session" : "more session";
    return [`${more ? "At least " : ""}${count(hidden, those)}. See all with -n 0.`];
  }
  if (more) {
    const which = newestFirst ? "newest" : order === "oldest" ? "oldest" : "best";
    return [`Much was found: this is the ${which} of it. Add words or filters.`];
  }
  const places = sessions.reduce((sum, { total }) => sum + total, 0);
  return places > 0 ? [`${count(sessions.length, "session")}, ${count(places, "place")}.`] : [];
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

function quoted(text: string): string {
  return `“${safeLine(text)}”`;
}

/** An answer for programs, one line of JSON. */
export function foundJson(found: Found, { explain }: FoundOptions): string {
  return `${jsonLine({
    total: found.totalSessions,
    more: found.more,
    sort: found.order,
    newestFirst: found.newestFirst,
    ...(found.haveAll !== undefined && { haveAll: found.haveAll }),
    ...(found.leftOut !== undefined && { leftOut: found.leftOut }),
    instead: found.instead,
    ...(found.otherTime !== undefined && {
      otherTime: { ref: placeOf(found.otherTime), at: found.otherTime.at },
    }),
    sessions: found.sessions.map((session) => {
      const { ref, facts, gone, total, prompts, prompt, score } = session;
      const name = `${ref.agent}:${facts.session}`;
      return {
        ref: name,
        agent: ref.agent,
        session: facts.session,
        path: ref.path,
        ...(facts.title !== undefined && { title: facts.title }),
        ...(facts.cwd !== undefined && { cwd: facts.cwd }),
        updatedAt: new Date(facts.updatedMs).toISOString(),
        gone,
        total,
        prompts,
        ...(prompt !== undefined && { prompt }),
        ...(explain && score !== undefined && { score }),
        events: session.events.map(({ number, kind, at, snippet, call, score: ofEvent }) => ({
          number,
          ref: number === "" ? name : `${name}@${number}`,
          kind,
          ...(at !== undefined && { at }),
          ...(snippet !== undefined && { snippet: snippet.text }),
          ...(call !== undefined && { call }),
          marks: snippet?.marks ?? [],
          ...(explain && ofEvent !== undefined && { score: scoreJson(ofEvent, found.sought) }),
        })),
      };
    }),
    freshness: found.freshness,
    notes: found.notes,
  })}\n`;
}

function placeOf({ agent, session, number }: Mention): string {
  return `${agent}:${session}${number === "" ? "" : `@${number}`}`;
}
