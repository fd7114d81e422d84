import type { FileBlock, ImageBlock, TextBlock } from "../model/block.ts";
import type { OutgoingAssistant, OutgoingMessage } from "../model/outgoing.ts";

/** One thing of a conversation that must arrive: which it is, and what it says. */
export interface Atom {
  readonly label: string;
  readonly text: string;
}

/**
 * The smallest things of a conversation: texts, calls, answers, images. Two conversations are equal when
 * their atoms are. Thinking is not among them: it is an allowed loss. `unmarked` takes out of a text what
 * a store had to put into it.
 */
export function* atomsOf(
  message: OutgoingMessage,
  unmarked: (text: string) => string = (text) => text,
): Generator<Atom> {
  // Agents trim what they store: blanks at the ends are not what was said.
  const textOf = (block: TextBlock | ImageBlock | FileBlock): string =>
    block.type === "text" ? unmarked(block.text).trim() : imageText(block);
  switch (message.role) {
    case "summary":
      // A summary reaches every model as what the user said first.
      yield { label: "user", text: unmarked(message.text).trim() };
      return;
    case "user":
      for (const block of message.content) {
        const text = textOf(block);
        if (text !== "") yield { label: "user", text };
      }
      return;
    case "assistant":
      for (const part of message.content) yield* spoken(part, textOf);
      return;
    case "results":
      for (const { call, content } of message.results) {
        const [only] = content;
        const text =
          content.length === 1 && only !== undefined
            ? textOf(only)
            : content.map(textOf).join("\n").trim();
        yield { label: `result ${call}`, text };
      }
      return;
  }
}

function* spoken(
  part: OutgoingAssistant["content"][number],
  textOf: (block: TextBlock) => string,
): Generator<Atom> {
  if (part.type === "text") yield { label: "assistant", text: textOf(part) };
  else if (part.type === "tool_use")
    yield { label: `call ${part.call} ${part.name}`, text: JSON.stringify(part.input) };
}

function imageText(block: ImageBlock | FileBlock): string {
  const { source, type, mediaType = "" } = block;
  return `[${type} ${mediaType} ${source.kind === "base64" ? source.data : JSON.stringify(source)}]`;
}
