import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { codex } from "../../../src/agents/codex/index.ts";
import type {
  AgentEvent,
  ReadBatch,
  ReadOptions,
  SessionRef,
} from "../../../src/agents/contract.ts";
import type { Environment } from "../../../src/base/env.ts";
import { plainText } from "../../../src/model/block.ts";

export const fixtures = join(import.meta.dirname, "../../fixtures/codex");

/** An environment whose home folder is the given one. */
export function homeAt(home: string, variables: Environment["variables"] = {}): Environment {
  return { variables, platform: "linux", home, cwd: home };
}

/** The sessions below a home folder, by id. */
export function refsIn(home: string): ReadonlyMap<string, SessionRef> {
  return new Map([...codex.locate(homeAt(home))].map((ref) => [ref.session, ref]));
}

/** Everything a read tells, put together. */
export interface WholeRead {
  readonly events: readonly AgentEvent[];
  readonly damage: ReadBatch["damage"];
  readonly unknown: Readonly<Record<string, number>>;
  readonly cursor: string;
  readonly restarted: boolean;
}

export async function readAll(ref: SessionRef, options: ReadOptions = {}): Promise<WholeRead> {
  let events: AgentEvent[] = [];
  let damage: ReadBatch["damage"][number][] = [];
  let restarted = false;
  let cursor = "";
  const unknown: Record<string, number> = {};
  for await (const batch of codex.read(ref, options)) {
    if (batch.restart) {
      restarted = true;
      events = [];
      damage = [];
    }
    events.push(...batch.events);
    damage.push(...batch.damage);
    for (const [name, count] of Object.entries(batch.unknown ?? {})) {
      unknown[name] = (unknown[name] ?? 0) + count;
    }
    cursor = batch.cursor;
  }
  return { events, damage, unknown, cursor, restarted };
}

/** Events as short lines, without what a model is only told by the program. */
export function said(events: readonly AgentEvent[]): string[] {
  return events.flatMap(({ body }) => {
    switch (body.type) {
      case "user":
        return body.injected ? [] : [`user: ${plainText(body.content)}`];
      case "assistant":
        return [`assistant: ${plainText(body.content)}`];
      case "compaction":
        return [`summary: ${body.summary}`];
      case "tool_use":
        return [`call ${body.name}`];
      case "tool_result":
        return [`result ${plainText(body.content)}`];
      default:
        return [];
    }
  });
}

/** A thread id that is told apart by one digit. */
export function threadId(digit: number): string {
  return `01a1e08c-fbec-7fb1-8307-e406699332${digit.toString(16).padStart(2, "0")}`;
}

export type Rollout = readonly object[];

/** How a rollout file is named and begins. */
export interface RolloutOptions {
  readonly thread: string;
  readonly segment?: string;
  readonly second?: number;
  readonly archived?: boolean;
  readonly paginated?: boolean;
  readonly base?: { readonly id: string; readonly ordinal: number; readonly offset?: number };
  readonly meta?: object;
  readonly root?: string;
}

const time = (second: number): string =>
  new Date(Date.UTC(2026, 10, 15, 18, 0, second)).toISOString();

/** The text of a rollout: metadata, then the records, with ordinals in paginated mode. */
export function rolloutText(options: RolloutOptions, records: Rollout): string {
  const { thread, base, paginated = true } = options;
  const first = base?.ordinal ?? 0;
  const meta = {
    id: thread,
    timestamp: time(options.second ?? 0),
    cwd: "/home/dev/acme-api",
    originator: "codex_cli",
    cli_version: "0.166.0",
    source: "cli",
    ...(paginated && { history_mode: "paginated" }),
    ...(base && {
      history_base: {
        thread_id: base.id,
        end_ordinal_exclusive: base.ordinal,
        end_byte_offset: base.offset ?? 0,
      },
    }),
    ...options.meta,
  };
  return [{ type: "session_meta", payload: meta }, ...records]
    .map((record, index) => ({
      timestamp: time((options.second ?? 0) + index),
      ...(paginated && { ordinal: first + index }),
      ...record,
    }))
    .map((record) => `${JSON.stringify(record)}\n`)
    .join("");
}

/** Writes a rollout file into a store and returns its path. */
export function putRollout(home: string, options: RolloutOptions, records: Rollout): string {
  const root = options.root ?? join(home, ".codex");
  const stamp = time(options.second ?? 0)
    .slice(0, 19)
    .replaceAll(":", "-");
  const ids =
    options.segment === undefined ? options.thread : `${options.thread}_${options.segment}`;
  const folder = options.archived ? "archived_sessions" : "sessions/2026/11/15";
  const path = join(root, folder, `rollout-${stamp}-${ids}.jsonl`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, rolloutText(options, records));
  return path;
}

/** A prompt as Codex records it: the item and the event that lists are made of. */
export function prompt(text: string, id?: string): Rollout {
  return [item({ type: "message", role: "user", ...(id && { id }), content: [inputText(text)] })];
}

export function answer(text: string): Rollout {
  const content = [{ type: "output_text", text }];
  return [item({ type: "message", role: "assistant", content })];
}

export function turn(question: string, reply: string): Rollout {
  return [...prompt(question), ...answer(reply)];
}

export function item(payload: object): object {
  return { type: "response_item", payload };
}

export function message(payload: object): object {
  return { type: "event_msg", payload };
}

export function inputText(text: string): object {
  return { type: "input_text", text };
}

export function rollBack(turns: number): object {
  return message({ type: "thread_rolled_back", num_turns: turns });
}

export function tokens(total: number, last: number): object {
  const usage = (count: number): object => ({
    input_tokens: count,
    cached_input_tokens: 0,
    output_tokens: count,
    reasoning_output_tokens: 0,
    total_tokens: 2 * count,
  });
  const info = { total_token_usage: usage(total), last_token_usage: usage(last) };
  return message({ type: "token_count", info });
}
