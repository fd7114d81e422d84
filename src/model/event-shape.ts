import { isObject, type JsonObject } from "../base/json.ts";
import type { SessionEvent } from "./event.ts";

/*
 * What the fields of each event type are. Writers refuse what does not fit; readers leave out an optional field of
 * a wrong shape, and an event without what its type cannot do without is damage of that event.
 */

type Test = (value: unknown) => boolean;

const isText: Test = (value) => typeof value === "string";
const isNumber: Test = (value) => Number.isFinite(value);
const isFlag: Test = (value) => typeof value === "boolean";
const isJson: Test = (value) => typeof value !== "function" && typeof value !== "symbol";
const isWords: Test = (value) => Array.isArray(value) && value.every(isText);
const isContent: Test = (value) =>
  typeof value === "string" || (Array.isArray(value) && value.every(isBlock));

/** An object with these fields; further ones do not matter. */
function object(required: FieldTests, optional: FieldTests = {}): Test {
  const needs = Object.entries(required);
  const may = Object.entries(optional);
  return (value) =>
    isObject(value) &&
    needs.every(([field, test]) => test(value[field])) &&
    may.every(([field, test]) => value[field] === undefined || test(value[field]));
}

type FieldTests = Readonly<Record<string, Test>>;

const sourceTests: FieldTests = {
  base64: object({ data: isText }),
  blob: object({}),
  url: object({ url: isText }),
  path: object({ path: isText }),
};
const isSource: Test = (value) => isObject(value) && isOneOf(sourceTests, value["kind"], value);
const blockTests: FieldTests = {
  text: object({ text: isText }),
  image: object({ mediaType: isText, source: isSource }, { name: isText }),
  file: object({ source: isSource }, { mediaType: isText, name: isText }),
  opaque: object({ from: isText }),
};

function isBlock(value: unknown): boolean {
  if (!isObject(value)) return false;
  const type = value["type"];
  // The usual block, told without looking further.
  if (type === "text") return typeof value["text"] === "string";
  return isOneOf(blockTests, type, value);
}

/** Whether a value is what the name it goes by says. */
function isOneOf(tests: FieldTests, name: unknown, value: unknown): boolean {
  return typeof name === "string" && Object.hasOwn(tests, name) && tests[name]!(value);
}

/** What a kind of field is, and how to say it. */
interface Kind {
  readonly test: Test;
  readonly is: string;
}

const kinds = {
  text: { test: isText, is: "text" },
  number: { test: isNumber, is: "a number" },
  flag: { test: isFlag, is: "true or false" },
  json: { test: isJson, is: "JSON" },
  object: { test: isObject, is: "an object" },
  words: { test: isWords, is: "a list of words" },
  content: { test: isContent, is: "text or blocks" },
  title: { test: (value) => value === null || isText(value), is: "text" },
  labels: {
    test: (value) => isObject(value) && Object.values(value).every(isText),
    is: "words by event numbers",
  },
  usage: {
    test: object(
      {},
      {
        input: isNumber,
        output: isNumber,
        cacheRead: isNumber,
        cacheWrite: isNumber,
        reasoning: isNumber,
        cost: isNumber,
      },
    ),
    is: "numbers of tokens",
  },
  git: {
    test: object({}, { branch: isText, commit: isText, remote: isText, dirty: isFlag }),
    is: "a state of git",
  },
  project: {
    test: object({ name: isText, path: isText }, { remote: isText, rootCommit: isText }),
    is: "a project",
  },
  stamp: { test: object({ name: isText }, { version: isText }), is: "a name and a version" },
  place: { test: object({ session: isText, event: isNumber }), is: "a session and an event" },
  source: { test: object({ agent: isText, session: isText }), is: "an agent and a session" },
} as const satisfies Readonly<Record<string, Kind>>;

type KindName = keyof typeof kinds;

const ofMessage = { message: "text?", model: "text?", usage: "usage?" } as const;
const streamed = { ...ofMessage, stream: "text?", unfinished: "flag?" } as const;

/** The fields of each type, `?` where it can do without. A type not listed is kept as it is. */
const fieldsByType: Readonly<Record<string, Readonly<Record<string, KindName | `${KindName}?`>>>> =
  {
    session_start: {
      format: "number",
      session: "text",
      key: "text?",
      cwd: "text?",
      project: "project?",
      git: "git?",
      agent: "stamp?",
      model: "text?",
      title: "text?",
      tags: "words?",
      createdBy: "text?",
      continues: "place?",
      aside: "flag?",
      importedFrom: "source?",
      metadata: "object?",
    },
    system: { content: "content" },
    user: { content: "content", author: "text?", injected: "flag?", ran: "flag?" },
    assistant: {
      content: "content",
      ...streamed,
      stopReason: "text?",
      endTurn: "flag?",
      synthetic: "flag?",
    },
    thinking: { content: "text", ...streamed, signature: "text?", redacted: "flag?" },
    part: { stream: "text", of: "text", text: "text", message: "text?", model: "text?" },
    tool_use: { call: "text", name: "text", input: "json", ...ofMessage },
    tool_result: {
      call: "text",
      content: "content",
      name: "text?",
      isError: "flag?",
      details: "json?",
    },
    compaction: {
      summary: "text",
      keepFrom: "number?",
      tokensBefore: "number?",
      strategy: "text?",
      trigger: "text?",
    },
    rewind: { to: "number", from: "number", reason: "text?" },
    checkpoint: { label: "text?", snapshot: "text?", data: "json?" },
    restore: { checkpoint: "number", data: "json?" },
    meta: {
      title: "title?",
      tags: "words?",
      labels: "labels?",
      pinned: "flag?",
      model: "text?",
      cwd: "text?",
      git: "git?",
      data: "json?",
      metadata: "object?",
      repeated: "flag?",
    },
    plan: { content: "content", status: "text?" },
    approval: { decision: "text", call: "text?", scope: "text?", reason: "text?" },
    hook: { event: "text", content: "content?", data: "json?" },
    agent: {
      name: "text",
      status: "text?",
      capabilities: "words?",
      from: "text?",
      to: "text?",
      content: "content?",
    },
    task: {
      task: "text",
      title: "text?",
      status: "text?",
      progress: "number?",
      dependsOn: "words?",
      data: "json?",
    },
    subagent: { session: "text", name: "text?", call: "text?", status: "text?", summary: "text?" },
    process: {
      process: "text",
      command: "text?",
      status: "text?",
      exitCode: "number?",
      data: "json?",
    },
    file: { path: "text", action: "text", data: "json?" },
    note: { content: "content", status: "text?" },
    recovered: { quarantine: "text", bytes: "number", damaged: "number", recovered: "number" },
    custom: { name: "text", data: "json?" },
    session_end: { summary: "text?", reason: "text?", rotatedTo: "text?" },
  };

interface Field extends Kind {
  readonly name: string;
  readonly isOptional: boolean;
}

let byType: ReadonlyMap<string, readonly Field[]> | undefined;

/** The fields as an event asks for them; made with the first one. */
function fieldsOf(type: string): readonly Field[] {
  byType ??= new Map(
    Object.entries(fieldsByType).map(([name, fields]) => [
      name,
      Object.entries({ ...fields, extra: "object?" as const }).map(field),
    ]),
  );
  return byType.get(type) ?? [];
}

function field([name, kind]: readonly [string, KindName | `${KindName}?`]): Field {
  const isOptional = kind.endsWith("?");
  return { name, isOptional, ...kinds[kind.replace("?", "") as KindName] };
}

/** A field that is not what its type says. */
export interface WrongField {
  readonly name: string;
  /** What it must be. */
  readonly is: string;
}

/** The first field of an event or a body that is not what its type says; undefined where all are. */
export function wrongField(body: { readonly type: string }): WrongField | undefined {
  const fields = fieldsOf(body.type);
  // By index: this is done for every event that is written or read.
  for (let at = 0; at < fields.length; at += 1) {
    if (isWrong(fields[at]!, body as unknown as JsonObject)) return fields[at];
  }
  return undefined;
}

function isWrong({ name, isOptional, test }: Field, body: JsonObject): boolean {
  const value = body[name];
  return value === undefined ? !isOptional : !test(value);
}

/**
 * An event that was read, without the optional fields of a wrong shape; undefined if it lacks what its type cannot
 * do without. `onWrong` hears what is wrong.
 */
export function soundEvent<T extends SessionEvent>(
  event: T,
  onWrong: (why: string) => void,
): T | undefined {
  if (wrongField(event) === undefined) return event;
  const fields: JsonObject = event as unknown as JsonObject;
  const wrong = fieldsOf(event.type).filter((one) => isWrong(one, fields));
  onWrong(wrong.map(({ name, is }) => `"${name}" of ${event.type} is not ${is}`).join(", "));
  if (wrong.some(({ isOptional }) => !isOptional)) return undefined;
  const names = new Set(wrong.map(({ name }) => name));
  const kept = Object.entries(event).filter(([name]) => !names.has(name));
  return Object.fromEntries(kept) as unknown as T;
}
