import { RepriseError } from "../base/errors.ts";
import { isObject, type JsonObject } from "../base/json.ts";
import { limits } from "../base/limits.ts";
import type { EventBody } from "./event.ts";

/** Fields that belong to the log, not to the one who appends. */
const frameFields: ReadonlySet<string> = new Set([
  "id",
  "parent",
  "at",
  "sum",
  "metaAt",
  "recoveredFrom",
  "blobs",
  "sealed",
]);

type Kind = "string" | "number" | "content" | "any";

/** What each type cannot do without. A type not listed is kept as it is and never reaches a model. */
const requiredFields: Readonly<Record<string, Readonly<Record<string, Kind>>>> = {
  session_start: { format: "number", session: "string" },
  system: { content: "content" },
  user: { content: "content" },
  assistant: { content: "content" },
  thinking: { content: "string" },
  tool_use: { call: "string", name: "string", input: "any" },
  tool_result: { call: "string", content: "content" },
  compaction: { summary: "string" },
  rewind: { to: "number", from: "number" },
  restore: { checkpoint: "number" },
  plan: { content: "content" },
  approval: { decision: "string" },
  hook: { event: "string" },
  agent: { name: "string" },
  task: { task: "string" },
  subagent: { session: "string" },
  process: { process: "string" },
  file: { path: "string", action: "string" },
  note: { content: "content" },
  custom: { name: "string" },
};

let required: ReadonlyMap<string, readonly (readonly [string, Kind])[]> | undefined;

/** The same as an event asks for it; made with the first one. */
function requiredByType(): NonNullable<typeof required> {
  required ??= new Map(
    Object.entries(requiredFields).map(([type, fields]) => [type, Object.entries(fields)]),
  );
  return required;
}

/** Returns the body if the log may hold it, with `type` first; otherwise throws `bad_event`. */
export function checkEvent(body: EventBody): EventBody {
  if (!isObject(body)) throw bad("an event must be an object");
  const fields: JsonObject = body as unknown as JsonObject;
  const type = fields["type"];
  if (typeof type !== "string" || type === "") throw bad("an event needs a type");
  let first: string | undefined;
  for (const field in fields) {
    first ??= field;
    if (frameFields.has(field) && fields[field] !== undefined) {
      throw bad(`"${field}" is set by the log, not by the caller`);
    }
  }
  const needs = requiredByType().get(type);
  if (needs !== undefined) {
    for (const [field, kind] of needs) checkField(type, field, fields[field], kind);
  }
  if (type === "meta") checkMeta(fields);
  return first === "type" ? body : ({ ...({ type } as object), ...body } as EventBody);
}

function checkField(type: string, field: string, value: unknown, kind: Kind): void {
  if (kind === "any") {
    if (value === undefined) throw bad(`${type} needs "${field}"`);
  } else if (kind === "content") {
    if (typeof value !== "string" && !isContent(value)) {
      throw bad(`${type} needs "${field}" as text or blocks`);
    }
  } else if (typeof value !== kind) throw bad(`${type} needs "${field}" as a ${kind}`);
}

function isContent(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every((block) => isObject(block) && typeof block["type"] === "string")
  );
}

function checkMeta(fields: JsonObject): void {
  const { title, tags } = fields;
  if (title !== undefined && title !== null) {
    if (typeof title !== "string") throw bad("a title is text");
    if (title.length > limits.titleChars) {
      throw new RepriseError("too_large", `A title has at most ${limits.titleChars} characters.`);
    }
  }
  if (tags === undefined) return;
  if (!Array.isArray(tags) || !tags.every((tag) => typeof tag === "string")) {
    throw bad("tags are a list of words");
  }
  if (tags.length > limits.tags || tags.some((tag) => tag.length > limits.tagChars || tag === "")) {
    throw new RepriseError(
      "too_large",
      `At most ${limits.tags} tags of 1 to ${limits.tagChars} characters.`,
    );
  }
}

function bad(why: string): RepriseError {
  return new RepriseError("bad_event", `The event is refused: ${why}.`);
}
