import { asString, type JsonObject } from "../../../base/json.ts";
import { type Block, contentOfBlocks } from "../../../model/block.ts";
import { blockOfFile, isSentFile } from "./content.ts";
import type { Drafts } from "./drafts.ts";
import type { NativeMessage } from "./source.ts";

/** What the program sends for a compaction's user message, and for a command a subagent ran. */
const compactionQuestion = "What did we do so far?";
const subtaskNotice = "The following tool was executed by the user";

/** The events of a user message: what was typed, what was put in, and what the model never sees. */
export function userBodies(native: NativeMessage, drafts: Drafts): void {
  let blocks: Block[] = [];
  let injected = false;
  let live = drafts.isLive;
  const flush = (): void => {
    if (blocks.length === 0) return;
    const content = contentOfBlocks(blocks);
    drafts.add({ type: "user", content, ...(injected ? { injected } : {}) }, { live });
    blocks = [];
  };
  const say = (block: Block, isInjected: boolean): void => {
    if (isInjected !== injected || drafts.isLive !== live) flush();
    injected = isInjected;
    live = drafts.isLive;
    blocks.push(block);
  };
  for (const part of native.parts) {
    drafts.enter(part);
    switch (part["type"]) {
      case "text":
        if (part["ignored"] === true) {
          flush();
          drafts.add({ type: "user", content: textOf(part) }, { live: false });
        } else say({ type: "text", text: textOf(part) }, part["synthetic"] === true);
        break;
      case "file":
        if (isSentFile(part)) say(blockOfFile(part), false);
        else {
          flush();
          drafts.add({ type: "user", content: [blockOfFile(part)] }, { live: false });
        }
        break;
      case "compaction":
        say({ type: "text", text: compactionQuestion }, true);
        break;
      case "subtask":
        flush();
        drafts.add({ type: "custom", name: "opencode.subtask", data: part }, { live: false });
        say({ type: "text", text: subtaskNotice }, true);
        break;
      case "agent":
        flush();
        drafts.add({ type: "agent", name: asString(part["name"]) ?? "unknown" }, { live: false });
        break;
      default:
        flush();
        drafts.other(part);
    }
  }
  flush();
}

/** The text of a part. */
export function textOf(part: JsonObject): string {
  return asString(part["text"]) ?? "";
}
