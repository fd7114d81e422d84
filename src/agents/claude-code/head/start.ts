import { asArray, asString, isObject, type JsonObject } from "../../../base/json.ts";
import {
  linesOf,
  recordOf,
  stringAt,
  timeIn,
  type WindowLine,
} from "../../../jsonl/text-window.ts";
import { commandTitle } from "../../../model/command-title.ts";
import { isTitleType, namesHere } from "../record-types.ts";
import { endsWrapped, promptTitle } from "../typed-text.ts";
import { field } from "./fields.ts";

/** What the beginning of a transcript says. */
export interface StartFacts {
  readonly prompt: string | undefined;
  /** The first slash command, which names the session where nothing else does. */
  readonly command: string | undefined;
  readonly createdAt: string | undefined;
  readonly cwd: string | undefined;
  /** The first record of the conversation, as far as the window goes; empty where there is none. */
  readonly first: string;
  readonly titles: ReadonlyMap<string, JsonObject>;
  /** Whether more of the file would tell nothing a list needs. */
  readonly enough: boolean;
}

/** Reads the beginning as far as the first prompt; a prompt cut off by the window still gives its words. */
export function readStart(
  start: string,
  more: { readonly toEnd: boolean; readonly tail: string },
): StartFacts {
  const titles = new Map<string, JsonObject>();
  let queued: string | undefined;
  let command: string | undefined;
  let prompt: string | undefined;
  let first = "";
  for (const line of linesOf(start, more.toEnd)) {
    const kind = kindOf(line.text);
    if (kind === "title" && line.whole) {
      const record = recordOf(line.text);
      if (record !== undefined && (namesHere(record, start) || namesHere(record, more.tail))) {
        titles.set(asString(record["type"]) ?? "", record);
      }
    } else if (kind === "queue") queued ??= queuedIn(line);
    if (kind !== "user" && kind !== "chain") continue;
    if (line.text.includes('Sidechain":true')) continue;
    if (first === "") first = line.text;
    if (kind !== "user") continue;
    const said = saidIn(line);
    prompt = promptTitle(said);
    if (prompt !== undefined) break;
    command ??= commandTitle(said.join("\n"));
  }
  // A prompt that waits in the queue is the first one, unless it is a command to the program.
  if (prompt === undefined && queued !== undefined && !queued.startsWith("/")) {
    prompt = promptTitle([queued]);
  }
  const cwd = field(first, "cwd") ?? field(start, "cwd");
  const enough = first !== "" && prompt !== undefined && cwd !== undefined;
  return {
    prompt,
    command,
    createdAt: timeIn(field(start, "timestamp")),
    cwd,
    first,
    titles,
    enough,
  };
}

/** The first record of the conversation in a window, as far as it goes; empty where there is none. */
export function firstRecord(start: string): string {
  for (const { text } of linesOf(start, false)) {
    const kind = kindOf(text);
    if (kind !== "user" && kind !== "chain") continue;
    if (!text.includes('Sidechain":true')) return text;
  }
  return "";
}

type LineKind = "user" | "chain" | "queue" | "title" | "other";

/** By the first bytes where the program wrote the line; by parsing where somebody else did. */
function kindOf(text: string): LineKind {
  if (text.startsWith('{"type":"')) return kindOfType(text.slice(9, text.indexOf('"', 9)));
  if (text.startsWith('{"parentUuid":')) {
    // The role says a prompt also where the window ends before the record's type.
    return text.includes('role":"user"') || text.includes('type":"user"') ? "user" : "chain";
  }
  return kindOfType(asString(recordOf(text)?.["type"]) ?? "");
}

function kindOfType(type: string): LineKind {
  if (type === "user") return "user";
  if (type === "queue-operation") return "queue";
  if (type === "assistant" || type === "system" || type === "attachment") return "chain";
  return isTitleType(type) ? "title" : "other";
}

const plainPrompt = 'role":"user","content":"';
const queuedPrompt = 'content":"';

/** The texts of a user record that a person may have typed. */
function saidIn(line: WindowLine): readonly string[] {
  const { text } = line;
  if (text.includes('Meta":true') || text.includes('CompactSummary":true')) return [];
  // A plain prompt is a string right behind its role; only other shapes are parsed.
  const plain = text.indexOf(plainPrompt);
  if (plain >= 0 && text.startsWith('{"parentUuid":')) {
    return [promptAt(line, plain + plainPrompt.length)];
  }
  const record = line.whole ? recordOf(text) : undefined;
  if (record === undefined) return [cutOff(line)];
  const content = isObject(record["message"]) ? record["message"]["content"] : undefined;
  if (typeof content === "string") return [content];
  return asArray(content).flatMap((block) =>
    isObject(block) && block["type"] === "text" ? (asString(block["text"]) ?? []) : [],
  );
}

function queuedIn(line: WindowLine): string | undefined {
  const at = line.text.indexOf(queuedPrompt);
  return at < 0 ? undefined : promptAt(line, at + queuedPrompt.length);
}

/** The beginning of a prompt whose record goes on beyond the window. */
function cutOff(line: WindowLine): string {
  const plain = line.text.indexOf('"content":"');
  if (plain >= 0) return promptAt(line, plain + 11);
  const block = line.text.indexOf('"type":"text","text":"');
  return block >= 0 ? promptAt(line, block + 22) : "";
}

/** The prompt whose first character stands at an index: its beginning, or all of it where that ends in a wrapper. */
function promptAt(line: WindowLine, from: number): string {
  const start = stringAt(line.text, from);
  if (!endsWrapped(start)) return start;
  const all = stringAt(line.text, from, line.text.length);
  // Beyond the window the wrapper may end: until that is seen, nobody typed this.
  return !line.whole && endsWrapped(all) ? "" : all;
}
