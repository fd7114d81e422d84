import { isObject, type JsonObject } from "../../../base/json.ts";
import { messageIn, type ThreadMessage } from "./bodies.ts";
import { storedValue } from "./stored-value.ts";
import type { ThreadSource } from "./thread-source.ts";

/** The state of a graph at one checkpoint. */
export interface Snapshot {
  /** The values of its channels; absent where they cannot be reported. */
  readonly values?: JsonObject;
  readonly ts?: string;
  /** Why they cannot be reported. */
  readonly why?: "opaque" | "damaged";
}

/** What a checkpoint holds. */
export function snapshotAt(
  source: ThreadSource,
  at: { readonly ns: string; readonly id: string; readonly key: string | undefined },
): Snapshot {
  const { type, bytes } = source.value(at.ns, at.id);
  const stored = storedValue(type, bytes, at.key);
  if ("why" in stored) return { why: stored.why };
  const checkpoint = isObject(stored.value) ? stored.value : {};
  const values = checkpoint["channel_values"];
  if (!isObject(values)) return { why: "damaged" };
  const { ts } = checkpoint;
  return { values, ...(typeof ts === "string" && { ts }) };
}

/** The conversation at a checkpoint: the channel `messages`, else the first list that holds messages alone. */
export function messagesIn({ values }: Snapshot): readonly ThreadMessage[] {
  if (values === undefined) return [];
  const lists = Object.hasOwn(values, "messages")
    ? [values["messages"]]
    : Object.entries(values)
        .filter(([name]) => !name.startsWith("__"))
        .map(([, value]) => value);
  for (const list of lists) {
    if (!Array.isArray(list) || list.length === 0) continue;
    const messages = list.map(messageIn);
    if (messages.every((message) => message !== undefined)) return messages;
    // One that nobody knows must not hide the others.
    const known = messages.filter((message) => message !== undefined);
    if (known.length > 0 && list === values["messages"]) return known;
  }
  return [];
}
