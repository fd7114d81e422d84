import type { AgentEvent } from "../../../agents/contract.ts";
import type { FoundSession } from "../../../agents/find-sessions.ts";
import { readSession } from "../../../agents/reading.ts";
import { limits } from "../../../base/limits.ts";
import { blocksOf, plainText } from "../../../model/block.ts";
import { readablePrompt } from "../../../model/command-title.ts";
import { oneLine } from "../../../model/text.ts";
import { tallySentences } from "../render/tally-text.ts";
import { transcript } from "../render/transcript.ts";
import { selectEvents } from "../sessions/select.ts";
import { colours as coloursOf } from "../terminal/colours.ts";
import { highlighted } from "../terminal/picker/highlight.ts";
import { whileWanted } from "../terminal/picker/while-wanted.ts";
import { wrapped } from "../terminal/width.ts";

/** Which part of a session is seen, and on how much room. */
export interface PreviewOptions {
  /** The event to be seen; the end of the session if absent. */
  readonly focus?: string;
  readonly words: readonly string[];
  readonly columns: number;
  readonly rows: number;
  readonly isColoured: boolean;
  isWanted(): boolean;
}

/** How many of the last events a preview reads. */
const lastEvents = 12;

/** A part of a session as lines of a given width; stops early once nobody wants it any more. */
export async function previewLines(
  session: FoundSession,
  options: PreviewOptions,
): Promise<readonly string[]> {
  const { focus, columns, rows, words } = options;
  const colours = coloursOf(options.isColoured);
  const { tally, events } = readSession(
    session,
    focus === undefined ? { last: lastEvents } : { allBranches: true },
  );
  const chosen = selectEvents(
    whileWanted(events, options.isWanted),
    focus === undefined ? { last: lastEvents } : { focus },
  );
  const lines: string[] = [];
  let pointed = -1;
  /** A piece is made of an event before the next one is taken: so many lines are there when it comes. */
  async function* noted(): AsyncGenerator<AgentEvent> {
    for await (const event of chosen) {
      if (pointed < 0 && event.number === focus) pointed = lines.length;
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
  for (const sentence of tallySentences(tally)) lines.push(...wrapped(sentence, columns));
  const marked = lines.map((line) => highlighted(line, words, colours));
  return focus === undefined
    ? marked.slice(-rows)
    : windowAt(marked, { lines, words, rows, pointed });
}

/** The lines around the first one of the event that has a word. */
function windowAt(
  marked: readonly string[],
  options: {
    readonly lines: readonly string[];
    readonly words: readonly string[];
    readonly rows: number;
    readonly pointed: number;
  },
): readonly string[] {
  const { lines, words, rows } = options;
  const from = Math.max(0, options.pointed);
  const has = (line: string): boolean => words.some((word) => line.toLowerCase().includes(word));
  const at = lines.findIndex((line, index) => index >= from && has(line));
  const near = at < 0 || at - from < rows - 2 ? from : at - 2;
  const start = Math.max(0, Math.min(near, lines.length - rows));
  return marked.slice(start, start + rows);
}

/** What people asked in a session, the first line of each. */
export async function promptsIn(
  session: FoundSession,
  isWanted: () => boolean,
): Promise<readonly { readonly number: string; readonly text: string }[]> {
  const prompts: { readonly number: string; readonly text: string }[] = [];
  for await (const { number, body } of whileWanted(readSession(session).events, isWanted)) {
    if (body.type !== "user" || body.injected) continue;
    prompts.push({ number, text: oneLine(readablePrompt(plainText(blocksOf(body.content))), 200) });
    if (prompts.length > limits.listedSessions * 10) prompts.shift();
  }
  return prompts;
}
