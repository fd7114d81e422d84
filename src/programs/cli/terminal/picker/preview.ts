import type { FoundSession } from "../../../../agents/find-sessions.ts";
import { readSession } from "../../../../agents/reading.ts";
import { tallySentences } from "../../render/tally-text.ts";
import { transcript } from "../../render/transcript.ts";
import { selectEvents } from "../../sessions/select.ts";
import type { Colours } from "../colours.ts";
import { wrapped } from "../width.ts";

const previewEvents = 12;

/** The end of a session as lines of a given width; stops early once nobody wants it any more. */
export async function previewLines(
  session: FoundSession,
  options: {
    readonly columns: number;
    readonly rows: number;
    readonly colours: Colours;
    readonly isWanted: () => boolean;
  },
): Promise<readonly string[]> {
  const { tally, events } = readSession(session, { last: previewEvents });
  const wanted = whileWanted(events, options.isWanted);
  const last = selectEvents(wanted, { last: previewEvents });
  const pieces: string[] = [];
  const { colours } = options;
  const view = { tools: "short", thinking: false, colours, known: session.head } as const;
  for await (const piece of transcript(last, view)) pieces.push(piece);
  const text = [...pieces, ...tallySentences(tally)]
    .join("")
    .replace(/\n{2,}/g, "\n")
    .trimEnd();
  return wrapped(text, options.columns).slice(-options.rows);
}

async function* whileWanted<T>(
  items: AsyncIterable<T>,
  isWanted: () => boolean,
): AsyncGenerator<T> {
  for await (const item of items) {
    if (!isWanted()) return;
    yield item;
  }
}
