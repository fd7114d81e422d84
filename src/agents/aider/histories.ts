import { closeSync, fstatSync, openSync } from "node:fs";
import { dirname, join } from "node:path";
import { limits } from "../../base/limits.ts";
import { rangeBlocks } from "./read/lines.ts";

/** One input as the prompt's own history keeps it. */
export interface HistoryInput {
  /** The time as written: local, with microseconds. */
  readonly at: string;
  readonly text: string;
}

/** One request to a model or one answer, as the optional log keeps it. */
export interface LlmExchange {
  readonly direction: "request" | "response";
  /** The time as written: local, to the second. */
  readonly at: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

/** The input history beside a chat history. */
export function inputHistoryBeside(chatHistory: string): string {
  return join(dirname(chatHistory), ".aider.input.history");
}

/** The model log beside a chat history; it exists only where the user asked for it. */
export function llmHistoryBeside(chatHistory: string): string {
  return join(dirname(chatHistory), ".aider.llm.history");
}

/** Every input of an input history, oldest first; none where there is no such file. */
export function* inputHistory(path: string): Generator<HistoryInput> {
  let at: string | undefined;
  let lines: string[] = [];
  for (const text of linesOf(path)) {
    const time = /^# (\d{4}-\d\d-\d\d .*)$/.exec(text)?.[1];
    if (time !== undefined) {
      if (at !== undefined && lines.length > 0) yield { at, text: lines.join("\n") };
      at = time;
      lines = [];
    } else if (text.startsWith("+") && lines.length < limits.directoryEntries)
      lines.push(text.slice(1));
  }
  if (at !== undefined && lines.length > 0) yield { at, text: lines.join("\n") };
}

/** Every request and answer of a model log, oldest first; none where there is no such file. */
export function* llmHistory(path: string): Generator<LlmExchange> {
  let exchange: { direction: LlmExchange["direction"]; at: string } | undefined;
  let messages: { role: string; lines: string[] }[] = [];
  let separated = true;
  const finished = (): LlmExchange | undefined =>
    exchange === undefined
      ? undefined
      : {
          ...exchange,
          messages: messages.map(({ role, lines }) => ({ role, content: lines.join("\n") })),
        };
  for (const text of linesOf(path)) {
    const begins = /^(TO LLM|LLM RESPONSE) (\d{4}-\d\d-\d\dT\S+)$/.exec(text);
    if (begins !== null) {
      const before = finished();
      if (before !== undefined) yield before;
      exchange = { direction: begins[1] === "TO LLM" ? "request" : "response", at: begins[2]! };
      messages = [];
      separated = true;
      continue;
    }
    if (text === "-------") {
      separated = true;
      continue;
    }
    const said = /^([A-Z]+) (.*)$/s.exec(text);
    if (said === null || messages.length >= limits.directoryEntries) continue;
    const role = said[1]!.toLowerCase();
    const last = messages.at(-1);
    if (separated || last === undefined || last.role !== role)
      messages.push({ role, lines: [said[2]!] });
    else last.lines.push(said[2]!);
    separated = false;
  }
  const last = finished();
  if (last !== undefined) yield last;
}

function* linesOf(path: string): Generator<string> {
  let fd: number;
  try {
    fd = openSync(path, "r");
  } catch {
    return;
  }
  try {
    for (const { lines } of rangeBlocks(fd, { offset: 0, end: fstatSync(fd).size })) {
      for (const parts of lines) {
        if (parts.length > 0) yield parts.map(({ text }) => text).join("\n");
      }
    }
  } finally {
    closeSync(fd);
  }
}
