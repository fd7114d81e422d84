import { isObject, type JsonObject } from "../../../base/json.ts";
import type { Damage } from "../../../model/damage.ts";
import type { SessionInfo } from "../schema.ts";

/** A message with its parts, in the shape of `opencode export`: the native record of its events. */
export interface NativeMessage {
  readonly info: JsonObject;
  readonly parts: readonly JsonObject[];
}

/** A message as read, with what was wrong with its rows or files. */
export interface ReadMessage {
  readonly id: string;
  readonly native: NativeMessage;
  readonly damage: readonly Damage[];
  /** Bytes of its data, for batching. */
  readonly bytes: number;
  readonly stamp: Stamp;
}

/** What says whether rows were changed: their number, and the times of their last writes added up. */
export interface Stamp {
  readonly parts: number;
  readonly times: number;
}

/** Times are added modulo this prime, so that sums stay exact. */
export const stampModulus = 1_000_000_007;

/** The stamp of rows before and rows after. */
export function addStamps(left: Stamp, right: Stamp): Stamp {
  return { parts: left.parts + right.parts, times: left.times + right.times };
}

/** The parts of one message as read. */
export type ReadParts = Pick<ReadMessage, "bytes" | "stamp"> & Pick<NativeMessage, "parts">;

/** One session's rows or files in native order; messages are named by their place, from 0. */
export interface Source {
  readonly session: SessionInfo;
  readonly count: number;
  /** Found while opening. */
  readonly damage: readonly Damage[];
  /** The message without its parts; undefined if it is gone or unreadable. */
  info(index: number): JsonObject | undefined;
  parts(index: number): readonly JsonObject[];
  /** The places of messages that may be the summary of a compaction, the newest first. */
  summaries(): Iterable<number>;
  message(index: number): ReadMessage | undefined;
  indexOf(messageId: string): number;
  /** The stamp of the first `count` messages; it changes whenever one of their rows does. */
  stamp(count: number): Stamp;
  todos(): readonly JsonObject[];
  close(): void;
}

/** The role of a message; guessed from its parts where its own data is damaged. */
export function roleOf(native: NativeMessage): "user" | "assistant" {
  const { role } = native.info;
  if (role === "user" || role === "assistant") return role;
  const ofModel = new Set(["step-start", "step-finish", "reasoning", "tool", "patch"]);
  return native.parts.some((part) => ofModel.has(String(part["type"]))) ? "assistant" : "user";
}

const toolStates: ReadonlySet<unknown> = new Set(["pending", "running", "completed", "error"]);

/** What is wrong with a message whose rows are whole JSON but not of the shape they claim to have. */
export function shapeDamage(native: NativeMessage, ordinal: number): readonly Damage[] {
  const problems: string[] = [];
  const { role } = native.info;
  if (role !== "user" && role !== "assistant") problems.push("message without a role");
  for (const part of native.parts) {
    const lacking = lackingField(part);
    if (lacking !== undefined) problems.push(`part ${String(part["id"])} without ${lacking}`);
  }
  return problems.map((detail) => ({
    kind: "bad_record",
    offset: ordinal,
    recovered: 1,
    detail,
  }));
}

function lackingField(part: JsonObject): string | undefined {
  switch (part["type"]) {
    case "text":
    case "reasoning":
      return typeof part["text"] === "string" ? undefined : "a text";
    case "file":
      return typeof part["url"] === "string" ? undefined : "a url";
    case "tool": {
      if (typeof part["callID"] !== "string") return "a call id";
      if (typeof part["tool"] !== "string") return "a tool name";
      const { state } = part;
      return isObject(state) && toolStates.has(state["status"]) ? undefined : "a known state";
    }
    default:
      return typeof part["type"] === "string" ? undefined : "a type";
  }
}
