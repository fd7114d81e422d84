import type { JsonObject } from "../base/json.ts";
import type { GitState, ProjectIdentity } from "./event.ts";
import type { Usage } from "./usage.ts";

/**
 * How a session was left: closed in order after an answer (`ended`), in an open turn (`interrupted`), after an answer or a
 * question, so that the next prompt is the user's (`waiting`).
 */
export type SessionState = "ended" | "interrupted" | "waiting" | "unknown";

/**
 * What a store holds that is not a conversation: how far a program came (`state`), what it remembers (`memory`), or pages
 * it keeps about the work (`notes`).
 */
export type SessionKind = "state" | "memory" | "notes";

/** How a session came from another. */
export interface Relation {
  readonly kind: "fork" | "subagent" | "continues";
  readonly session: string;
  readonly event?: string;
}

/** What a list shows of one session: only what its first and last bytes state; the rest is absent. */
export interface SessionHead {
  readonly agent: string;
  readonly session: string;
  /** What it is, if not a conversation. */
  readonly kind?: SessionKind;
  /** What its maker knows it by, where its id was made of that. */
  readonly key?: string;
  /** The file or database that holds it. */
  readonly path: string;
  readonly sizeBytes: number;
  readonly createdAt?: string;
  readonly updatedAt: string;
  readonly title?: string;
  /** True where the title was set by hand or by the agent, false if it is the first prompt. */
  readonly titled?: boolean;
  readonly tags?: readonly string[];
  readonly pinned?: boolean;
  /** Facts of the program that made it. */
  readonly metadata?: JsonObject;
  readonly project?: ProjectIdentity;
  readonly cwd?: string;
  readonly cwdExists?: boolean;
  readonly git?: GitState;
  readonly model?: string;
  readonly version?: string;
  readonly author?: string;
  readonly state: SessionState;
  readonly events?: number;
  readonly usage?: Usage;
  readonly relation?: Relation;
  /** `agent:session` of the one that Reprise wrote it from; `updatedAt` is then not before that writing. */
  readonly copyOf?: string;
  /** Its file lies outside of every store, where only its path names it. */
  readonly elsewhere?: boolean;
  readonly sealed?: boolean;
  /** It is listed only if it is asked for: one of thousands of a web export. */
  readonly aside?: boolean;
  /** Something is wrong with the head itself; the session may still be readable. */
  readonly problem?: string;
}
