import type { Environment } from "../base/env.ts";
import type { JsonObject } from "../base/json.ts";
import type { LineTaker } from "../jsonl/take-rows.ts";
import type { Import, ScanEnd } from "../model/usage-scan.ts";
import type { UsageTable } from "../model/usage-table.ts";
import type { LocateOptions } from "./contract.ts";

/** A file, or a part of one, that may record usage. Every place of a session is one. */
export interface UsagePlace {
  readonly path: string;
  /** The session its usage belongs to, as far as its place says it. */
  readonly session: string;
  /** What the reader needs besides the path. */
  readonly part?: string;
  /** Of a part of a file; a whole file has what stat says. */
  readonly sizeBytes?: number;
  readonly modifiedMs?: number;
  readonly root?: string;
  /** The session whose subagent this is, as far as its place says it. */
  readonly parent?: string;
  /** The folder the session ran in, where its place says it and its records do not. */
  readonly cwd?: string;
}

/** What is known of a file before its lines are taken. */
export interface LinesOf {
  readonly session: string;
  /** What an earlier scan of its first lines left. */
  readonly carry?: JsonObject | undefined;
  /** What a session of our own was brought in from. */
  readonly imported?: Import | undefined;
}

/** What is special about an agent whose usage is read event by event. */
export interface EventRules {
  /** Its output does not hold the reasoning. */
  readonly reasoningApart?: boolean;
  /** A fork copies messages under new ids: their moment and numbers tell them. */
  readonly copiesByMoment?: boolean;
}

/**
 * How the token usage of an agent's sessions is counted. Without any of it the sessions are read event by event;
 * what takes rows out of lines is only quicker, and may go on where a file has grown.
 */
export interface AgentUsage {
  /** Raised when the same bytes give other rows: then only this agent's files are read again. */
  readonly version: number;
  /** Where usage is recorded, by listing and stat alone, where that is not just where the sessions are. */
  places?(env: Environment, options: LocateOptions): Iterable<UsagePlace>;
  /** Takes rows out of a plain file of lines, one that is named `.jsonl`. */
  lines?(table: UsageTable, of: LinesOf): LineTaker;
  /** Takes rows out of any other file: a compressed one, or one JSON text. */
  whole?(place: UsagePlace, table: UsageTable): Promise<ScanEnd>;
  readonly events?: EventRules;
}
