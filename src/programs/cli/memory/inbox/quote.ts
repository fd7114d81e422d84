import { isOfNamed } from "../../../../agents/event-name.ts";
import { findSession } from "../../../../agents/library.ts";
import { readSession } from "../../../../agents/reading.ts";
import type { Environment } from "../../../../base/env.ts";
import { eventText } from "../../../../catalog/index/event-text.ts";
import { whileWanted } from "../../terminal/picker/while-wanted.ts";

/** What an event says that proves a memory. */
export interface Quotation {
  /** Who says it, in a word, such as `user`. */
  readonly role: string;
  readonly text: string;
}

/** The sentences of an event around what was taken from it; undefined if it is gone, sealed, or says nothing. */
export async function quotationOf(
  ref: string,
  said: string,
  { env, isWanted }: { readonly env: Environment; isWanted(): boolean },
): Promise<Quotation | undefined> {
  const session = await findSession(ref, { env });
  const { event: name, head } = session;
  if (name === undefined || head.sealed === true) return undefined;
  const { events } = readSession(session, { allBranches: true });
  for await (const event of whileWanted(events, isWanted)) {
    if (!isOfNamed(event, name)) continue;
    const found = eventText(event.body);
    if (found === undefined || found.text.trim() === "") continue;
    return { role: roles[found.kind] ?? found.kind, text: sentencesAround(found.text, said) };
  }
  return undefined;
}

const roles: Readonly<Record<string, string>> = {
  tool_use: "tool call",
  tool_result: "tool",
};

const mostChars = 600;

/** The sentence of a text that has some words, with the ones beside it; the beginning of the text if none has them. */
export function sentencesAround(text: string, said: string): string {
  const sentences = text
    .split(/(?<=[.!?])\s+|\n+/)
    .map((sentence) => sentence.replace(/\s+/g, " ").trim())
    .filter((sentence) => sentence !== "");
  const wanted = said.replace(/\s+/g, " ").trim().toLowerCase();
  const at = sentences.findIndex((sentence) => sentence.toLowerCase().includes(wanted));
  const from = Math.max(0, at - 1);
  const piece = sentences.slice(from, at < 0 ? 3 : at + 2).join(" ");
  const isCut = piece.length > mostChars;
  const to = at < 0 ? 3 : at + 2;
  return `${from > 0 ? "… " : ""}${piece.slice(0, mostChars).toWellFormed()}${isCut || to < sentences.length ? " …" : ""}`;
}
