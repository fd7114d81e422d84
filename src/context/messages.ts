import type { FileBlock, ImageBlock, TextBlock } from "../model/block.ts";
import type { EventId } from "../model/event.ts";

/** What a person or a tool may give to a model. */
export type GivenBlock = TextBlock | ImageBlock | FileBlock;

/** A model's own thinking; the signature is valid for the model that made it. */
export interface ThinkingBlock {
  readonly type: "thinking";
  readonly text: string;
  readonly signature?: string;
  readonly redacted?: boolean;
}

/** A call the model made. */
export interface ToolUseBlock {
  readonly type: "tool_use";
  readonly call: string;
  readonly name: string;
  readonly input: unknown;
}

/** What a call gave back. */
export interface ToolResultBlock {
  readonly type: "tool_result";
  readonly call: string;
  readonly content: readonly GivenBlock[];
  readonly isError?: boolean;
  /** Nobody recorded a result; this one says so in its place. */
  readonly missing?: true;
}

/** A piece of a message for a model. */
export type MessageBlock = GivenBlock | ThinkingBlock | ToolUseBlock | ToolResultBlock;

/** One message as any provider understands it, with the events it was made from. */
export interface ContextMessage {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly content: readonly MessageBlock[];
  readonly events: readonly EventId[];
  /** The model that wrote an assistant message. */
  readonly model?: string;
  readonly author?: string;
  /** Stands for the conversation before it. */
  readonly summary?: true;
  /** Put in by a program, not typed by a person. */
  readonly injected?: true;
}

/** Why something recorded is not in the context. */
export type LeftOutKind =
  | "compacted"
  | "over_budget"
  | "orphan_result"
  | "duplicate_call"
  | "duplicate_result"
  | "synthetic"
  | "opaque_block"
  | "empty"
  | "unknown_type"
  | "not_for_models";

/** What a reader of the context should know besides. */
export type RemarkKind =
  | "missing_result"
  | "no_user_first"
  | "missing_keep_from"
  | "content_not_loaded"
  | "exceeds_budget"
  | "earlier_unread";

/** One reason, how often it applied, and the first of the events it applied to. */
export interface Noted<Kind> {
  readonly what: Kind;
  readonly why: string;
  readonly count: number;
  readonly events: readonly EventId[];
}

/** What a context leaves out of a session, and why. */
export type LeftOut = Noted<LeftOutKind>;
/** What was done to a session so that every model takes it. */
export type Remark = Noted<RemarkKind>;
