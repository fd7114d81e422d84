import type { FileBlock, ImageBlock, TextBlock } from "./block.ts";
import type { GitState } from "./event.ts";
import type { Sections } from "./note-sections.ts";
import type { Usage } from "./usage.ts";

/** What a person said, ready to be written into another agent's store. */
export interface OutgoingUser {
  readonly role: "user";
  readonly content: readonly (TextBlock | ImageBlock | FileBlock)[];
  readonly at: string;
  /** The text was put in by a program, not typed. */
  readonly injected?: boolean;
}

/** A tool call whose name and arguments are already those of the target. */
export interface OutgoingCall {
  readonly type: "tool_use";
  readonly call: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** Thinking that the target may hold; absent where it may not. */
export interface OutgoingThinking {
  readonly type: "thinking";
  readonly text: string;
  readonly signature?: string;
  readonly redacted?: boolean;
}

/** One model message: its parts in order. Every call in it is answered by the next message. */
export interface OutgoingAssistant {
  readonly role: "assistant";
  readonly content: readonly (TextBlock | OutgoingThinking | OutgoingCall)[];
  readonly at: string;
  readonly model?: string;
  readonly usage?: Usage;
}

/** The answer to one call. */
export interface OutgoingResult {
  readonly call: string;
  readonly name: string;
  readonly content: readonly (TextBlock | ImageBlock | FileBlock)[];
  readonly isError: boolean;
}

/** The answers to the calls of the message before, all of them, in the order of the calls. */
export interface OutgoingResults {
  readonly role: "results";
  readonly results: readonly OutgoingResult[];
  readonly at: string;
}

/** A summary that stands for everything before it; at most one, and always first. */
export interface OutgoingSummary {
  readonly role: "summary";
  readonly text: string;
  readonly at: string;
}

/**
 * A conversation in the order a model was given it. It begins with a summary or a user message, calls
 * are answered at once, ids are valid for every API, nothing in it is unknown to the target.
 */
export type OutgoingMessage = OutgoingUser | OutgoingAssistant | OutgoingResults | OutgoingSummary;

/** What a session comes to, for stores that hold notes and no conversation. Secrets in it are masked. */
export interface OutgoingNotes {
  readonly sections: Sections;
  /** The whole hand-over as a page of Markdown. */
  readonly page: string;
}

/** What is known about the conversation as a whole. */
export interface OutgoingAbout {
  /** The folder the target shall run in. It exists. */
  readonly cwd: string;
  readonly title?: string;
  readonly git?: GitState;
  readonly model?: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Where it comes from, for an inert note in the new session. */
  readonly from: { readonly agent: string; readonly session: string };
  /** It was sealed: anyone who can seal what they write does. */
  readonly sealed?: true;
}
