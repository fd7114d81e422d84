import { parseObject } from "../../../base/json.ts";
import type { OpenThread } from "./events.ts";

/** How far a thread was read. */
export interface ThreadCursor {
  readonly checkpoint: string;
  readonly messages: number;
  /** What the messages were, as a print. */
  readonly print: string;
}

/** Where reading stopped: at the newest checkpoint. */
export function cursorOf(open: OpenThread): string {
  const messages = open.messages.length;
  return JSON.stringify({
    checkpoint: open.leaf?.id ?? "",
    messages,
    print: open.printAt(messages),
  });
}

/** A cursor's parts; undefined if it is none of this reader's. */
export function decodeCursor(text: string): ThreadCursor | undefined {
  const { checkpoint, messages, print } = parseObject(text) ?? {};
  if (typeof checkpoint !== "string" || typeof print !== "string") return undefined;
  return Number.isSafeInteger(messages)
    ? { checkpoint, messages: messages as number, print }
    : undefined;
}
