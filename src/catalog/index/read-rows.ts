import type { Agent, Cursor, SessionRef } from "../../agents/contract.ts";
import { timeOf } from "../../base/clock.ts";
import { isSessionPrompt } from "../../model/prompt.ts";
import type { Act } from "../../model/tool-dialect.ts";
import { callFiles } from "../blame/call-files.ts";
import { AwaitedCalls } from "./awaited-calls.ts";
import { isInjected, whatOf } from "./event-facts.ts";
import { eventKey } from "./event-key.ts";
import { eventText, wordText } from "./event-text.ts";
import { partsIn } from "./identifier-parts.ts";

/** One event as the index takes it. */
export interface Row {
  readonly number: string;
  /** What it is: see `whatOf`. */
  readonly what: number;
  readonly atSeconds: number | null;
  readonly key: number | null;
  /** What of it is found by its words. */
  readonly words: string;
  /** The words that names in it are made of. */
  readonly parts: string;
  readonly tool: string | null;
  /** What the tool does, where tools of other agents do the same. */
  readonly act: Act | null;
  /** The files it works on, as it names them. */
  readonly files: readonly string[];
}

/** What events say about their session, where they say something. */
export interface Learnt {
  readonly title?: string;
  readonly tags?: readonly string[];
  readonly model?: string;
  readonly updatedMs?: number;
}

/** Some rows of a session, and where to go on. */
export interface RowBatch {
  readonly rows: readonly Row[];
  /** All events, also those without words. */
  readonly events: number;
  /** How many of the events are prompts. */
  readonly prompts: number;
  readonly restart: boolean;
  /** For `readRows`; the reader's own cursor is a part of it. */
  readonly cursor: string;
  readonly learnt: Learnt;
  /** The file could not be read, or no further. */
  readonly isUnread?: true;
  /** Why nothing of it is read, where it takes more than the limits allow. */
  readonly refused?: string;
}

/** Reads a session, or what was added since a cursor, as rows of the index. */
export async function* readRows(
  agent: Agent,
  ref: SessionRef,
  { from, isOfSubagent }: { readonly from: string | undefined; readonly isOfSubagent: boolean },
): AsyncGenerator<RowBatch> {
  const start = from === undefined ? undefined : placeOf(from);
  let calls = new AwaitedCalls(start?.calls);
  const options = { allBranches: true, ...(start !== undefined && { from: start.cursor }) };
  for await (const batch of agent.read(ref, options)) {
    const restart = batch.restart === true;
    if (restart) calls = new AwaitedCalls();
    const rows: Row[] = [];
    const learnt: { -readonly [K in keyof Learnt]: Learnt[K] } = {};
    for (const event of batch.events) {
      const { body } = event;
      const ms = timeOf(event.at);
      if (ms !== undefined && ms > (learnt.updatedMs ?? 0)) learnt.updatedMs = ms;
      if (body.type === "meta") {
        if (typeof body.title === "string") learnt.title = body.title;
        if (body.tags !== undefined) learnt.tags = body.tags;
        if (body.model !== undefined) learnt.model = body.model;
      } else if (body.type === "assistant" && body.model !== undefined) learnt.model = body.model;
      const text = eventText(body, {
        dialect: agent.tools,
        callTool: calls.toolOf(body),
        isOfSubagent: isOfSubagent || event.sidechain !== undefined,
      });
      // What programs put in is not searched unless that is asked for, and then it is read.
      if (text === undefined || isInjected(text)) continue;
      const words = wordText(text);
      rows.push({
        number: event.number,
        what: whatOf(text),
        atSeconds: ms === undefined ? null : Math.floor(ms / 1000),
        key: eventKey(event, text) ?? null,
        words,
        parts: partsIn(text, words),
        tool: text.tool ?? null,
        act: text.act ?? null,
        files: callFiles(body, agent.tools),
      });
    }
    const cursor = `${calls.kept()}\n${batch.cursor}`;
    const events = batch.events.length;
    const prompts = batch.events.filter(isSessionPrompt).length;
    const isUnread = batch.damage.some(({ kind }) => kind === "unreadable");
    const refused = batch.damage.find(({ kind }) => kind === "too_large")?.detail;
    yield {
      rows,
      events,
      prompts,
      restart,
      cursor,
      learnt,
      ...(isUnread && { isUnread }),
      ...(refused && { refused }),
    };
  }
}

/** What `readRows` left: the reader's cursor, behind a line with the calls that had no result yet. */
function placeOf(from: string): { readonly calls: string; readonly cursor: Cursor } {
  const end = from.indexOf("\n");
  return { calls: from.slice(0, Math.max(0, end)), cursor: from.slice(end + 1) };
}
