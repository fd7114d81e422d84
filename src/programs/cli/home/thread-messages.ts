import type { AgentModule } from "../../../agents/agent-module.ts";
import type { SessionRef } from "../../../agents/contract.ts";
import type { Environment } from "../../../base/env.ts";
import type { Filter } from "../../../catalog/query/query.ts";
import type { SessionHead } from "../../../model/head.ts";

/** A session as one thread says another of it. */
export interface ToldSession {
  readonly ref: SessionRef;
  readonly head: SessionHead;
}

/** What the thread that reads is reported first. */
export interface Opening {
  readonly kind: "open";
  readonly env: Environment;
  /** Agents that are not ours. */
  readonly others: readonly AgentModule[];
  readonly nowMs: number;
  /** How many keys were pressed so far, in memory that both threads see. */
  readonly keys: Int32Array;
}

/** What the thread is to do: look again at what there is, because something was changed, or end. */
export type Command = { readonly kind: "look" } | { readonly kind: "close" };

/** The content that is looked for. */
export interface ContentQuestion {
  readonly kind: "search";
  readonly text: string;
  readonly filters: readonly Filter[];
}

/** A part of a session to be seen. */
export interface PreviewQuestion extends ToldSession {
  readonly kind: "preview";
  /** The event to be seen; the end of the session if absent. */
  readonly focus?: string;
  readonly words: readonly string[];
  readonly columns: number;
  readonly rows: number;
  /** How many lines on from where it begins, or back. */
  readonly turned: number;
  readonly isColoured: boolean;
}

/** What was asked in a session, to choose one of them. */
export interface PromptsQuestion extends ToldSession {
  readonly kind: "prompts";
}

/** What another agent would make of a session. */
export interface LossesQuestion extends ToldSession {
  readonly kind: "losses";
  readonly to: string;
}

/** Sessions whose first prompts are wanted: the thread says them as it reads them. */
export interface FirstPromptsQuestion {
  readonly kind: "firstPrompts";
  readonly refs: readonly SessionRef[];
}

/** What the thread can be asked. */
export type Question =
  | ContentQuestion
  | PreviewQuestion
  | PromptsQuestion
  | LossesQuestion
  | FirstPromptsQuestion;

/** A session whose content fits, and the event that fits best. */
export interface ContentHit extends ToldSession {
  readonly event?: string;
}

/** The lines of a preview, and how far it is turned: never beyond its first or last line. */
export interface PreviewLines {
  readonly lines: readonly string[];
  readonly turned: number;
}

/** A prompt of a session that may be chosen, on one line. */
export interface AskedPrompt {
  readonly number: string;
  readonly text: string;
  readonly live: boolean;
}

/** What each question is answered with. */
export interface Answers {
  readonly search: { readonly hits: readonly ContentHit[]; readonly remark: string };
  readonly preview: PreviewLines;
  readonly prompts: readonly AskedPrompt[];
  readonly losses: string;
  readonly firstPrompts: undefined;
}

/** What the thread says. */
export type Told =
  | { readonly kind: "answer"; readonly id: number; readonly value: unknown }
  | { readonly kind: "failed"; readonly id: number; readonly why: string }
  /** How far the index is; empty where it is complete. */
  | { readonly kind: "building"; readonly text: string }
  /** What people said first, by the places of the sessions. */
  | { readonly kind: "firstPrompts"; readonly prompts: ReadonlyMap<string, string> };
