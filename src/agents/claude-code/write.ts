import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { publishAll, stageLines } from "../../additions/staged-file.ts";
import { isObject } from "../../base/json.ts";
import type { FileBlock, ImageBlock, TextBlock } from "../../model/block.ts";
import type { OutgoingAbout, OutgoingAssistant, OutgoingMessage } from "../../model/outgoing.ts";
import { marked } from "../../model/unseen-mark.ts";
import type { AgentWriter, WriteOptions, Written } from "../contract.ts";
import { commonImages, takeBackFiles } from "../new-files.ts";
import { agentName } from "./record-types.ts";
import { rootOf } from "./roots.ts";
import { isProgramText } from "./typed-text.ts";
import { projectFolder } from "./write/project-folder.ts";

/** The version whose records these are. */
const version = "2.1.325";

/** Writes new sessions where Claude Code looks for them. */
export const writer: AgentWriter = {
  holds: {
    thinking: "same-model",
    images: commonImages,
    resultImages: true,
    files: false,
    tools: true,
  },
  write,
  takeBack: takeBackFiles,
};

async function write(
  messages: AsyncIterable<OutgoingMessage>,
  options: WriteOptions,
): Promise<Written> {
  const { about, env } = options;
  const session = randomUUID();
  const root = rootOf(env);
  const path = join(root, "projects", projectFolder(about.cwd), `${session}.jsonl`);
  const file = await stageLines(path, options, async (put) => {
    const chain = new Chain(session, about);
    for await (const message of messages) for (const record of chain.records(message)) put(record);
    for (const record of sessionFacts(session, about)) put(record);
  });
  const print = file.finish();
  const { sizeBytes } = print;
  const ref = { agent: agentName, session, path, sizeBytes, modifiedMs: Date.now(), root };
  const written = { ref, files: [print], losses: [] };
  publishAll([file], () => options.intend?.(written));
  return written;
}

/** Records linked by parent, the way the program walks them. */
class Chain {
  readonly #common: object;
  #parent: string | null = null;
  #lastMs = 0;

  constructor(session: string, about: OutgoingAbout) {
    this.#common = {
      isSidechain: false,
      userType: "external",
      cwd: about.cwd,
      sessionId: session,
      version,
      gitBranch: about.git?.branch ?? "",
    };
  }

  *records(message: OutgoingMessage): Generator<object> {
    switch (message.role) {
      case "summary":
        yield this.#link("system", message.at, {
          subtype: "compact_boundary",
          content: "Conversation compacted",
          isMeta: false,
          level: "info",
          compactMetadata: { trigger: "manual", preTokens: 0 },
        });
        yield this.#link("user", message.at, {
          isVisibleInTranscriptOnly: true,
          isCompactSummary: true,
          message: { role: "user", content: message.text },
        });
        return;
      case "user":
        yield this.#link("user", message.at, {
          message: { role: "user", content: given(marked(message.content, isProgramText)) },
        });
        return;
      case "assistant":
        yield this.#link("assistant", message.at, { message: apiMessage(message) });
        return;
      case "results":
        yield this.#link("user", message.at, {
          message: {
            role: "user",
            content: message.results.map(({ call, content, isError }) => ({
              type: "tool_result",
              tool_use_id: call,
              content: given(content),
              ...(isError && { is_error: true }),
            })),
          },
        });
        return;
    }
  }

  #link(type: string, timestamp: string, fields: object): object {
    const uuid = randomUUID();
    const time = { uuid, timestamp: this.#rising(timestamp) };
    const record = { parentUuid: this.#parent, ...this.#common, type, ...fields, ...time };
    this.#parent = uuid;
    return record;
  }

  /** Older versions take the newest record for the last one: equal times would lose the end. */
  #rising(timestamp: string): string {
    this.#lastMs = Math.max(this.#lastMs + 1, Date.parse(timestamp) || 0);
    return new Date(this.#lastMs).toISOString();
  }
}

function apiMessage(message: OutgoingAssistant): object {
  const { usage } = message;
  const calls = message.content.some(({ type }) => type === "tool_use");
  return {
    id: `msg_${randomUUID().replaceAll("-", "")}`,
    type: "message",
    role: "assistant",
    model: message.model ?? "imported",
    content: message.content.map(spoken),
    stop_reason: calls ? "tool_use" : "end_turn",
    stop_sequence: null,
    usage: {
      input_tokens: usage?.input ?? 0,
      output_tokens: usage?.output ?? 0,
      cache_read_input_tokens: usage?.cacheRead ?? 0,
      cache_creation_input_tokens: usage?.cacheWrite ?? 0,
    },
  };
}

function spoken(part: OutgoingAssistant["content"][number]): object {
  switch (part.type) {
    case "text":
      return { type: "text", text: part.text };
    case "tool_use":
      return { type: "tool_use", id: part.call, name: part.name, input: part.input };
    case "thinking":
      if (part.redacted) return { type: "redacted_thinking", data: part.signature ?? "" };
      return { type: "thinking", thinking: part.text, signature: part.signature ?? "" };
  }
}

function given(
  content: readonly (TextBlock | ImageBlock | FileBlock)[],
): string | readonly object[] {
  const [first] = content;
  if (first === undefined) return "";
  if (content.length === 1 && first.type === "text" && first.native === undefined) {
    return first.text;
  }
  return content.flatMap((block): object[] => {
    if (block.type === "text") return [ownBlock(block) ?? { type: "text", text: block.text }];
    if (block.source.kind !== "base64") return [];
    const source = { type: "base64", media_type: block.mediaType, data: block.source.data };
    return [{ type: "image", source }];
  });
}

/** What a text stands for, where that is a block of the program's own. */
function ownBlock({ native }: TextBlock): object | undefined {
  if (native?.from !== agentName || !isObject(native.value)) return undefined;
  return native.value["type"] === "tool_reference" ? native.value : undefined;
}

/** What is said about the session: its title, and where it comes from in a record the program passes over. */
function* sessionFacts(sessionId: string, about: OutgoingAbout): Generator<object> {
  if (about.title !== undefined)
    yield { type: "custom-title", customTitle: about.title, sessionId };
  yield { type: "reprise-origin", from: about.from, sessionId };
}
