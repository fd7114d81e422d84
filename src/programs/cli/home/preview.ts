import type { AgentEvent } from "../../../agents/contract.ts";
import type { FoundSession } from "../../../agents/find-sessions.ts";
import { readSession } from "../../../agents/reading.ts";
import { limits } from "../../../base/limits.ts";
import { tallySentences } from "../render/tally-text.ts";
import { transcript } from "../render/transcript.ts";
import { beginningOf, promptsIn } from "../sessions/prompts.ts";
import { selectEvents } from "../sessions/select.ts";
import { colours as coloursOf } from "../terminal/colours.ts";
import { highlighted } from "../terminal/picker/highlight.ts";
import { whileWanted } from "../terminal/picker/while-wanted.ts";
import { wrapped } from "../terminal/width.ts";
import type { AskedPrompt, PreviewLines } from "./thread-messages.ts";

/** Which part of a session is seen, and on how much room. */
export interface PreviewOptions {
  /** The event to be seen; the end of the session if absent. */
  readonly focus?: string;
  readonly words: readonly string[];
  readonly columns: number;
  readonly rows: number;
  /** How many lines on from where it begins, or back. */
  readonly turned: number;
  readonly isColoured: boolean;
  isWanted(): boolean;
}

/** How many of the last events a preview reads. */
const lastEvents = 12;

/** A part of a session as lines of a given width; stops early once nobody wants it any more. */
export async function previewLines(
  session: FoundSession,
  options: PreviewOptions,
): Promise<PreviewLines> {
  const { focus, columns, rows, words, turned } = options;
  const colours = coloursOf(options.isColoured);
  // An event has a line at least: so many are enough for the rows, wherever it was turned to.
  const last = lastEvents + Math.max(0, -turned);
  const beside = rows + Math.abs(turned);
  const { tally, events } = readSession(
    session,
    focus === undefined ? { last } : { allBranches: true },
  );
  const chosen = selectEvents(
    whileWanted(events, options.isWanted),
    focus === undefined ? { last } : { focus, beside },
  );
  const lines: string[] = [];
  const pointed = { from: -1, to: -1 };
  /** A piece is made of an event before the next one is taken: so many lines are there when it comes. */
  async function* noted(): AsyncGenerator<AgentEvent> {
    for await (const event of chosen) {
      if (pointed.from >= 0 && pointed.to < 0) pointed.to = lines.length;
      if (pointed.from < 0 && event.number === focus) pointed.from = lines.length;
      yield event;
    }
  }
  const pieces = transcript(noted(), {
    tools: "short",
    thinking: false,
    colours,
    columns,
    known: session.head,
    ...(focus !== undefined && { focus }),
  });
  for await (const piece of pieces) lines.push(...piece.split("\n").filter((line) => line !== ""));
  const end = pointed.to < 0 ? lines.length : pointed.to;
  for (const sentence of tallySentences(tally)) lines.push(...wrapped(sentence, columns));
  const latest = Math.max(0, lines.length - rows);
  const begin =
    focus === undefined
      ? latest
      : Math.min(latest, beginning(lines, { from: Math.max(0, pointed.from), end, words, rows }));
  const start = Math.max(0, Math.min(latest, begin + turned));
  const shown = lines.slice(start, start + rows);
  return {
    lines: shown.map((line) => highlighted(line, words, colours)),
    turned: start - begin,
  };
}

/** Where a preview of an event begins: with the event, or a little before the line of it that has most of the words. */
function beginning(
  lines: readonly string[],
  {
    from,
    end,
    words,
    rows,
  }: {
    readonly from: number;
    readonly end: number;
    readonly words: readonly string[];
    readonly rows: number;
  },
): number {
  const weightOf = (line: string): number => {
    const text = line.toLowerCase();
    return words.reduce((sum, word) => sum + (text.includes(word) ? word.length : 0), 0);
  };
  const weights = lines.slice(from, end).map(weightOf);
  const at = weights.indexOf(Math.max(...weights, 1));
  const above = Math.floor(rows / 3);
  return at < rows - 2 ? from : from + at - above;
}

/** What people asked in a session, the beginning of each; also what was compacted or abandoned. */
export async function askedIn(
  session: FoundSession,
  isWanted: () => boolean,
): Promise<readonly AskedPrompt[]> {
  const prompts: AskedPrompt[] = [];
  const { events } = readSession(session, { allBranches: true });
  for await (const prompt of promptsIn(whileWanted(events, isWanted))) {
    const { event: number, live } = prompt;
    prompts.push({ number, live, text: beginningOf(prompt, limits.titleChars) });
    if (prompts.length > limits.listedSessions * 10) prompts.shift();
  }
  return prompts;
}
