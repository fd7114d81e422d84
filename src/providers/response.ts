import type { EventBody } from "../model/event.ts";
import type { Usage } from "../model/usage.ts";

/** How a response ended. */
export interface ResponseEnd {
  readonly usage: Usage | undefined;
  readonly stopReason: string | undefined;
  /** Whether nothing is open after a response that ended for this reason. */
  endsTurn(reason: string): boolean;
}

/** What a response says, part by part. */
export interface ResponseParts {
  text(text: string): void;
  thinking(text: string, signature: string | undefined): void;
  /** Thinking whose text the provider keeps for itself. */
  redacted(signature: string | undefined): void;
  call(call: string, name: string, input: unknown): void;
  /** A part that is kept as it is. */
  opaque(from: string, value: unknown): void;
  /** The events: usage and the reason on the last. A response that says nothing is an answer without words. */
  end(how: ResponseEnd): readonly EventBody[];
}

/** Collects the parts of one response as events of one message. */
export function response(of: {
  readonly message?: string | undefined;
  readonly model?: string | undefined;
}): ResponseParts {
  const shared = {
    ...(of.message !== undefined && { message: of.message }),
    ...(of.model !== undefined && { model: of.model }),
  };
  const bodies: EventBody[] = [];
  return {
    text(text) {
      if (text !== "") bodies.push({ type: "assistant", content: text, ...shared });
    },
    thinking(content, signature) {
      if (content === "" && signature === undefined) return;
      bodies.push({
        type: "thinking",
        content,
        ...(signature !== undefined && { signature }),
        ...shared,
      });
    },
    redacted(signature) {
      if (signature !== undefined)
        bodies.push({ type: "thinking", content: "", signature, redacted: true, ...shared });
    },
    call(call, name, input) {
      bodies.push({ type: "tool_use", call, name, input: input ?? {}, ...shared });
    },
    opaque(from, value) {
      bodies.push({ type: "assistant", content: [{ type: "opaque", from, value }], ...shared });
    },
    end({ usage, stopReason, endsTurn }) {
      const calls = bodies.some(({ type }) => type === "tool_use");
      const last = bodies.pop() ?? { type: "assistant", content: "", ...shared };
      const ended = stopReason !== undefined && !calls && endsTurn(stopReason);
      const isAnswer = last.type === "assistant";
      return [
        ...bodies,
        {
          ...last,
          ...(usage !== undefined && { usage }),
          ...(isAnswer && stopReason !== undefined && { stopReason }),
          ...(isAnswer && ended && { endTurn: true }),
        } as EventBody,
      ];
    },
  };
}
