import { asArray, asString, isObject, type JsonObject } from "../base/json.ts";
import { limits } from "../base/limits.ts";
import type { BridgeEvent, BridgeEventKind, BridgeTask } from "./bridge-event.ts";

/** The string of a key, cut to what a line takes; undefined if it is empty or none. */
export function field(payload: JsonObject, key: string): string | undefined {
  const value = asString(payload[key]);
  if (value === undefined || value === "") return undefined;
  return value.length <= limits.bridgeTextChars ? value : value.slice(0, limits.bridgeTextChars);
}

/** What the hooks of several agents name alike; undefined if the payload names no session. */
export function commonEvent(
  payload: JsonObject,
  of: { readonly agent: string; readonly kinds: Readonly<Record<string, BridgeEventKind>> },
): BridgeEvent | undefined {
  const session = field(payload, "session_id");
  const name = field(payload, "hook_event_name");
  if (session === undefined || name === undefined) return undefined;
  const kind = Object.hasOwn(of.kinds, name) ? of.kinds[name]! : "other";
  const prompt = kind === "prompt" ? asString(payload["prompt"]) : undefined;
  const answer = kind === "stop" ? asString(payload["last_assistant_message"]) : undefined;
  const reason = field(payload, kind === "session_end" ? "reason" : "trigger");
  return {
    kind,
    agent: of.agent,
    session,
    name,
    ...keyed("cwd", field(payload, "cwd")),
    ...keyed("transcript", field(payload, "transcript_path")),
    ...keyed("source", kind === "session_start" ? field(payload, "source") : undefined),
    ...keyed("prompt", prompt),
    ...keyed("answer", answer),
    ...keyed("reason", reason),
    ...keyed("model", field(payload, "model")),
    ...(payload["stop_hook_active"] === true && { again: true }),
  };
}

/** A tool's name, call and what it was given, where the event is about one. */
export function toolFields(
  payload: JsonObject,
  of: {
    readonly kind: BridgeEventKind;
    /** The tools that change files, with the key of the path. */
    readonly edits: Readonly<Record<string, string>>;
    readonly shells: ReadonlySet<string>;
  },
): Pick<BridgeEvent, "tool" | "call" | "files" | "command" | "tasks"> {
  if (!of.kind.startsWith("tool_")) return {};
  const tool = field(payload, "tool_name");
  const input = payload["tool_input"];
  if (tool === undefined || !isObject(input)) return keyed("tool", tool);
  const pathKey = Object.hasOwn(of.edits, tool) ? of.edits[tool] : undefined;
  const file = pathKey === undefined ? undefined : field(input, pathKey);
  const tasks = tasksIn(input["todos"] ?? input["plan"]);
  return {
    tool,
    ...keyed("call", field(payload, "tool_use_id")),
    ...(file !== undefined && { files: [file] }),
    ...keyed("command", of.shells.has(tool) ? field(input, "command") : undefined),
    ...(tasks !== undefined && { tasks }),
  };
}

/** A list of tasks as agents write it: `{content | description | step | subject, status}`. */
export function tasksIn(value: unknown): readonly BridgeTask[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return asArray(value)
    .slice(0, limits.bridgeTasks)
    .flatMap((item) => {
      if (!isObject(item)) return [];
      const name =
        field(item, "content") ??
        field(item, "description") ??
        field(item, "step") ??
        field(item, "subject");
      return name === undefined ? [] : [{ name, status: statusOf(item["status"]) }];
    });
}

function statusOf(status: unknown): BridgeTask["status"] {
  if (status === "completed" || status === "done" || status === "cancelled") return "done";
  return status === "in_progress" || status === "active" ? "active" : "open";
}

/** An object with the key where there is a value, else an empty one. */
export function keyed<K extends string, V>(
  key: K,
  value: V | undefined,
): { readonly [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]: V });
}
