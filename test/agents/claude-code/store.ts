import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { claudeCode } from "../../../src/agents/claude-code/index.ts";
import type { AgentEvent, ReadOptions, SessionRef } from "../../../src/agents/contract.ts";
import type { Environment } from "../../../src/base/env.ts";
import type { Damage } from "../../../src/model/damage.ts";
import { temporaryFolder } from "../../temporary-folder.mjs";
import { outlines } from "../kit/outline.ts";

/** Where the recorded sessions lie, by version and scenario. */
export const fixtures = join(import.meta.dirname, "../../fixtures/claude-code");

/** An environment whose home is the given folder. */
export function homeAt(home: string, more: Partial<Environment> = {}): Environment {
  return { variables: {}, platform: "linux", home, cwd: "/", ...more };
}

/** The conversations below a home, by id; files that are none are left out. */
export function sessionsIn(home: string): ReadonlyMap<string, SessionRef> {
  const env = homeAt(home);
  const refs = [...claudeCode.locate(env)].filter((ref) => claudeCode.head(ref, env) !== undefined);
  return new Map(refs.map((ref) => [ref.session, ref]));
}

/** Everything a read told. */
export interface Told {
  readonly events: readonly AgentEvent[];
  readonly damage: readonly Damage[];
  readonly unknown: Readonly<Record<string, number>>;
  readonly cursor: string;
  readonly restarted: boolean;
}

/** Reads to the end. */
export async function readAll(ref: SessionRef, options: ReadOptions = {}): Promise<Told> {
  const events: AgentEvent[] = [];
  const damage: Damage[] = [];
  const unknown: [string, number][] = [];
  let cursor = "";
  let restarted = false;
  for await (const batch of claudeCode.read(ref, options)) {
    events.push(...batch.events);
    damage.push(...batch.damage);
    unknown.push(...Object.entries(batch.unknown ?? {}));
    cursor = batch.cursor;
    restarted ||= batch.restart === true;
  }
  return { events, damage, unknown: Object.fromEntries(unknown), cursor, restarted };
}

/** The conversation as outline lines; what the program injects by attachments is not part of it. */
export function outlineOf(events: readonly AgentEvent[]): readonly string[] {
  return outlines(events.filter((event) => recordType(event) !== "attachment"));
}

function recordType(event: AgentEvent): unknown {
  const { native } = event;
  return typeof native === "object" && native !== null && "type" in native
    ? native.type
    : undefined;
}

export const sessionId = "0a0b0c0d-1111-4222-8333-444455556666";

/** Writes a transcript into a new home and returns its ref. */
export function written(content: string | Buffer, home = temporaryFolder()): SessionRef {
  const root = join(home, ".claude");
  const path = join(root, "projects", "-home-dev-acme-api", `${sessionId}.jsonl`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return refAt(path, root);
}

/** The ref of a transcript at a path. */
export function refAt(path: string, root = dirname(dirname(dirname(path)))): SessionRef {
  const { size, mtimeMs } = statSync(path);
  return {
    agent: "claude-code",
    session: sessionId,
    path,
    sizeBytes: size,
    modifiedMs: mtimeMs,
    root,
  };
}

type Fields = Readonly<Record<string, unknown>>;

/** Records as lines. */
export function lines(records: readonly Fields[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}

let clock = 0;

function chained(uuid: string, parent: string | null, fields: Fields): Fields {
  clock += 1;
  return {
    parentUuid: parent,
    isSidechain: false,
    ...fields,
    uuid,
    timestamp: new Date(Date.UTC(2026, 10, 15, 9, 0, clock)).toISOString(),
    cwd: "/home/dev/acme-api",
    sessionId,
    version: "2.1.325",
    gitBranch: "main",
  };
}

/** A user record. */
export function user(uuid: string, parent: string | null, content: unknown, more: Fields = {}) {
  return chained(uuid, parent, { type: "user", message: { role: "user", content }, ...more });
}

/** An assistant record; a string is one text block. */
export function assistant(
  uuid: string,
  parent: string | null,
  content: unknown,
  more: Fields & { readonly message?: Fields } = {},
) {
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
  const { message, ...fields } = more;
  return chained(uuid, parent, {
    message: {
      id: `msg_${uuid}`,
      role: "assistant",
      model: "claude-opus-5-5",
      content: blocks,
      stop_reason: "end_turn",
      usage: { input_tokens: 10, output_tokens: 5 },
      ...message,
    },
    type: "assistant",
    ...fields,
  });
}

/** A call of a tool, as a content block. */
export function call(id: string, name = "Bash") {
  return { type: "tool_use", id, name, input: { command: "ls" } };
}

/** The result of a call, as a user record. */
export function result(uuid: string, parent: string, id: string, more: Fields = {}) {
  const content = [{ type: "tool_result", tool_use_id: id, content: `result of ${id}` }];
  return user(uuid, parent, content, more);
}

/** A system or attachment record. */
export function other(uuid: string, parent: string | null, fields: Fields) {
  return chained(uuid, parent, fields);
}
