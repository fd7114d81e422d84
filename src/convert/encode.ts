import { limits } from "../base/limits.ts";
import { jsonTextOf } from "../json/json-bytes.ts";
import { saidIn, type TextBlock, textBlock } from "../model/block.ts";
import type { OutgoingMessage } from "../model/outgoing.ts";

/** The same message with its long texts as JSON: made once, although they are summed and written. */
export function encoded(message: OutgoingMessage): OutgoingMessage {
  switch (message.role) {
    case "summary":
      return message;
    case "user":
      return { ...message, content: message.content.map(encodedBlock) };
    case "assistant":
      return { ...message, content: message.content.map(encodedBlock) };
    case "results": {
      const results = message.results.map((result) => ({
        ...result,
        content: result.content.map(encodedBlock),
      }));
      return { ...message, results };
    }
  }
}

function encodedBlock<Other extends { readonly type: string }>(
  block: TextBlock | Other,
): TextBlock | Other {
  if (!isText(block)) return block;
  const said = saidIn(block);
  const isShort = typeof said !== "string" || said.length <= limits.lazyTextBytes;
  return isShort ? block : textBlock(jsonTextOf(said));
}

function isText(block: { readonly type: string }): block is TextBlock {
  return block.type === "text";
}
