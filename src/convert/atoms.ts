import type { FileBlock, ImageBlock, TextBlock } from "../model/block.ts";
import type { OutgoingAssistant, OutgoingMessage } from "../model/outgoing.ts";

/** One thing of a conversation that must arrive: which it is, and what it says. */
export interface Atom {
  readonly label: string;
  /** A text, or the arguments of a call. */
  readonly said: string | object;
}

/**
 * The smallest things of a conversation: texts, calls, answers, images. Two conversations are equal when
 * their atoms are. Thinking is not among them: it is an allowed loss. `unmarked` takes out of a text what
 * a store had to put into it.
 */
export function* atomsOf(
  message: OutgoingMessage,
  unmarked?: (text: string) => string,
): Generator<Atom> {
  const textOf = (block: TextBlock | ImageBlock | FileBlock): string =>
    block.type === "text" ? trimmed(block.text, unmarked) : imageText(block);
  switch (message.role) {
    case "summary":
      // A summary reaches every model as what the user said first.
      yield { label: "user", said: trimmed(message.text, unmarked) };
      return;
    case "user":
      for (const block of message.content) {
        const said = textOf(block);
        if (said !== "") yield { label: "user", said };
      }
      return;
    case "assistant":
      for (const part of message.content) yield* spoken(part, textOf);
      return;
    case "results":
      for (const { call, content } of message.results) {
        const [only] = content;
        const said =
          content.length === 1 && only !== undefined
            ? textOf(only)
            : content
                .map((block) => textOf(block))
                .join("\n")
                .trim();
        yield { label: `result ${call}`, said };
      }
      return;
  }
}

function* spoken(
  part: OutgoingAssistant["content"][number],
  textOf: (block: TextBlock) => string,
): Generator<Atom> {
  if (part.type === "text") yield { label: "assistant", said: textOf(part) };
  else if (part.type === "tool_use")
    yield { label: `call ${part.call} ${part.name}`, said: part.input };
}

/** Agents trim what they store: blanks at the ends are not what was said. */
function trimmed(said: string, unmarked: ((text: string) => string) | undefined): string {
  if (unmarked !== undefined) return unmarked(said).trim();
  return said.trim();
}

function imageText(block: ImageBlock | FileBlock): string {
  const { source, type, mediaType = "" } = block;
  return `[${type} ${mediaType} ${source.kind === "base64" ? source.data : JSON.stringify(source)}]`;
}
