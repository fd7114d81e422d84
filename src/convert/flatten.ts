import { plainText } from "../model/block.ts";
import type {
  OutgoingAssistant,
  OutgoingCall,
  OutgoingMessage,
  OutgoingResult,
} from "../model/outgoing.ts";
import type { Losses } from "./report.ts";

/**
 * A conversation for a target that knows no tools: what a model said and did until the user speaks again is
 * one text, in which calls and answers are reported word for word.
 */
export async function* flattened(
  messages: AsyncIterable<OutgoingMessage>,
  losses: Losses,
): AsyncGenerator<OutgoingMessage> {
  let turn: { readonly first: OutgoingAssistant; readonly texts: string[] } | undefined;
  const finished = (): OutgoingMessage[] => {
    if (turn === undefined) return [];
    const { first, texts } = turn;
    turn = undefined;
    return [{ ...first, content: [{ type: "text", text: texts.join("\n\n") }] }];
  };
  for await (const message of messages) {
    switch (message.role) {
      case "assistant":
        turn ??= { first: message, texts: [] };
        for (const part of message.content) {
          if (part.type === "text") turn.texts.push(part.text);
          else if (part.type === "tool_use") turn.texts.push(callText(part));
        }
        break;
      case "results":
        losses.add(
          "tool call",
          "rewritten",
          "written as text: the target has no tools",
          message.results.length,
        );
        turn?.texts.push(...message.results.map(resultText));
        break;
      case "user":
        yield* finished();
        yield { ...message, content: [{ type: "text", text: plainText(message.content) }] };
        break;
      case "summary":
        yield* finished();
        yield message;
        break;
    }
  }
  yield* finished();
}

function callText({ call, name, input }: OutgoingCall): string {
  return `Called ${name} (${call}) with ${JSON.stringify(input)}`;
}

function resultText({ call, name, content, isError }: OutgoingResult): string {
  return `${name} (${call}) ${isError ? "failed" : "answered"}:\n${plainText(content)}`;
}
