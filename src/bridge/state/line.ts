import { asArray, asNumber, asString, isObject, parseObject } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";
import type { BridgeEvent, BridgeEventKind, BridgeTask } from "../../model/bridge-event.ts";
import type { Bracket, ContextSize } from "./state.ts";

/** What a line says was given to the model. */
export interface LineInjection {
  readonly hash: string;
  readonly kind: string;
  readonly tokens: number;
}

/** What the transcript itself counts; in it the hooks' own counts are replaced. */
export interface Reconciliation {
  /** Holds for the log up to this offset; void where counted lines follow it. */
  readonly logBytes: number;
  /** Which state of the transcript was counted. */
  readonly mark: number;
  readonly prompts: number;
  readonly tools: Readonly<Record<string, number>>;
}

/** One line of a session's bridge log: ids, names, sizes and places, no text of the conversation. */
export interface BridgeLine {
  readonly at: string;
  readonly kind: BridgeEventKind | "reconciled";
  readonly session: string;
  readonly name?: string;
  readonly cwd?: string;
  readonly transcript?: string;
  readonly source?: string;
  readonly promptChars?: number;
  readonly tool?: string;
  readonly call?: string;
  readonly files?: readonly string[];
  readonly command?: string;
  readonly tasks?: readonly BridgeTask[];
  readonly subagent?: string;
  readonly agentName?: string;
  readonly reason?: string;
  readonly bracket?: Bracket;
  readonly context?: ContextSize;
  /** Of an agent that announces no finished compaction: the one that was found, and how far was looked for it. */
  readonly compaction?: string;
  readonly transcriptBytes?: number;
  readonly injected?: readonly LineInjection[];
  /** Says two lines apart that claim the same in one moment. */
  readonly pid?: number;
  readonly reconciled?: Reconciliation;
  /** Milliseconds from the start of the process until this line was written, and those of our own work. */
  readonly ms?: number;
  readonly ownMs?: number;
}

/** The line of an event, cut to its bounds. */
export function lineOf(
  event: BridgeEvent,
  more: Omit<Partial<BridgeLine>, "kind" | "session"> & { readonly at: string },
): BridgeLine {
  const { at, ...measured } = more;
  return {
    at,
    kind: event.kind,
    session: event.session,
    name: cut(event.name, 64),
    ...optional("cwd", event.cwd),
    ...optional("transcript", event.transcript),
    ...optional("source", event.source),
    ...(event.prompt !== undefined && { promptChars: event.prompt.length }),
    ...optional("tool", event.tool),
    ...optional("call", event.call),
    ...(event.files !== undefined &&
      event.files.length > 0 && {
        files: event.files
          .slice(0, limits.bridgeEventFiles)
          .map((file) => cut(file, limits.bridgeTextChars)),
      }),
    ...(event.command !== undefined && { command: cutWords(event.command) }),
    ...(event.tasks !== undefined && {
      tasks: event.tasks
        .slice(0, limits.bridgeTasks)
        .map(({ name, status }) => ({ name: cutWords(name), status })),
    }),
    ...optional("subagent", event.subagent?.id),
    ...optional("agentName", event.agentName ?? event.subagent?.type),
    ...optional("reason", event.reason),
    ...optional("compaction", event.compaction),
    ...(event.transcriptBytes !== undefined && { transcriptBytes: event.transcriptBytes }),
    ...measured,
  };
}

function optional<K extends string>(
  key: K,
  value: string | undefined,
): { readonly [P in K]?: string } {
  if (value === undefined) return {};
  return { [key]: cut(value, limits.bridgeTextChars) } as { [P in K]: string };
}

function cut(text: string, chars: number): string {
  return text.length <= chars ? text : text.slice(0, chars);
}

/** Cut between words: half of a secret no longer looks like one, and would not be hidden later. */
function cutWords(text: string): string {
  const start = cut(text, limits.bridgeCommandChars);
  return start === text || /\s/.test(text[start.length]!) ? start : start.replace(/\s\S*$/, "");
}

/** The bytes of a line, its newline included. */
export function encodeLine(line: BridgeLine): string {
  return `${JSON.stringify(line)}\n`;
}

/** The line a text holds; undefined if it is none, or another session's. */
export function decodeLine(text: string, session?: string): BridgeLine | undefined {
  const value = parseObject(text);
  const kind = asString(value?.["kind"]);
  if (value === undefined || kind === undefined || asString(value["at"]) === undefined)
    return undefined;
  if (session !== undefined && value["session"] !== session) return undefined;
  // Written by us; what another program put there is read field by field when it is folded.
  return value as unknown as BridgeLine;
}

/** The injections of a line that may have been written by anybody. */
export function injectionsIn(value: unknown): readonly LineInjection[] {
  return asArray(value).flatMap((item) => {
    if (!isObject(item)) return [];
    const hash = asString(item["hash"]);
    if (hash === undefined) return [];
    return [
      {
        hash,
        kind: asString(item["kind"]) ?? "",
        tokens: Math.max(0, asNumber(item["tokens"]) ?? 0),
      },
    ];
  });
}
