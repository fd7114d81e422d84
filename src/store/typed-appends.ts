import type { SessionMeta } from "../log/session-meta.ts";
import type { Content } from "../model/block.ts";
import type { CustomData } from "../model/custom-data.ts";
import type {
  EventBody,
  EventId,
  Extensible,
  MetaEvent,
  SessionEvent,
  ThinkingEvent,
  ToolResultEvent,
  ToolUseEvent,
  UserEvent,
} from "../model/event.ts";

/** What an event may have besides what its helper names. */
export type Extra<Body extends EventBody> = Omit<
  Body,
  "type" | "content" | "call" | "name" | "input"
>;

/** What a meta event says, or how that follows from what is known when it is written. */
export type MetaChange =
  | Omit<MetaEvent, "type" | "repeated">
  | ((known: SessionMeta) => SessionMeta);

/** A helper for each event that is appended often. */
export abstract class TypedAppends {
  abstract append(body: EventBody): Promise<SessionEvent>;
  abstract setMeta(change: MetaChange): Promise<SessionEvent>;

  appendSystem(content: Content): Promise<SessionEvent> {
    return this.append({ type: "system", content });
  }

  appendUser(content: Content, extra: Extra<UserEvent> = {}): Promise<SessionEvent> {
    return this.append({ type: "user", content, ...extra });
  }

  appendThinking(content: string, extra: Extra<ThinkingEvent> = {}): Promise<SessionEvent> {
    return this.append({ type: "thinking", content, ...extra });
  }

  appendToolUse(
    call: string,
    name: string,
    input: unknown,
    extra: Extra<ToolUseEvent> = {},
  ): Promise<SessionEvent> {
    return this.append({ type: "tool_use", call, name, input, ...extra });
  }

  appendToolResult(
    call: string,
    content: Content,
    extra: Extra<ToolResultEvent> = {},
  ): Promise<SessionEvent> {
    return this.append({ type: "tool_result", call, content, ...extra });
  }

  /** Appends a summary that stands for everything before `keepFrom`. */
  appendCompaction(
    summary: string,
    extra: { readonly keepFrom?: EventId; readonly tokensBefore?: number } = {},
  ): Promise<SessionEvent> {
    return this.append({ type: "compaction", summary, ...extra });
  }

  /** A remark for people; it never reaches a model. */
  note(content: Content): Promise<SessionEvent> {
    return this.append({ type: "note", content });
  }

  /** Appends an event of the program's own; see `CustomEvents` for how its data are typed. */
  appendCustom<Name extends string>(
    name: Name,
    data: CustomData<Name>,
    extra: Extensible = {},
  ): Promise<SessionEvent> {
    return this.append({ type: "custom", name, data, ...extra });
  }

  setTitle(title: string | null): Promise<SessionEvent> {
    return this.setMeta({ title });
  }

  /** Adds tags. */
  tag(...tags: readonly string[]): Promise<SessionEvent> {
    return this.setMeta(({ tags: known = [] }) => ({ tags: [...new Set([...known, ...tags])] }));
  }

  untag(...tags: readonly string[]): Promise<SessionEvent> {
    return this.setMeta(({ tags: known = [] }) => ({
      tags: known.filter((tag) => !tags.includes(tag)),
    }));
  }

  pin(pinned = true): Promise<SessionEvent> {
    return this.setMeta({ pinned });
  }

  /** Names an event; without a name its label goes. */
  label(event: EventId, name?: string): Promise<SessionEvent> {
    return this.setMeta(({ labels = {} }) => {
      const { [String(event)]: _old, ...others } = labels;
      return { labels: name === undefined ? others : { ...others, [String(event)]: name } };
    });
  }
}
