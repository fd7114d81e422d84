import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { publishAll, stageLines } from "../../additions/staged-file.ts";
import { uuidv7 } from "../../base/ids.ts";
import type { FileBlock, ImageBlock, TextBlock } from "../../model/block.ts";
import type { OutgoingAssistant, OutgoingMessage } from "../../model/outgoing.ts";
import type { AgentWriter, WriteOptions, Written } from "../contract.ts";
import { commonImages, takeBackFiles } from "../new-files.ts";
import { agentFolder, namedSessionFolder } from "./roots.ts";

/** Writes new sessions where pi looks for them. */
export const writer: AgentWriter = {
  holds: {
    thinking: "never",
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
  const session = uuidv7();
  const begun = new Date().toISOString();
  const root = agentFolder(env);
  const path = join(sessionFolder(options), `${begun.replace(/[:.]/g, "-")}_${session}.jsonl`);
  const file = await stageLines(path, options, async (put) => {
    put({ type: "session", version: 3, id: session, timestamp: begun, cwd: about.cwd });
    const chain = new Chain();
    for await (const message of messages) for (const entry of chain.entries(message)) put(entry);
    const origin = { customType: "reprise-origin", data: { from: about.from } };
    put(chain.link("custom", about.updatedAt, origin));
    if (about.title !== undefined)
      put(chain.link("session_info", about.updatedAt, { name: about.title }));
  });
  const print = file.finish();
  const { sizeBytes } = print;
  const ref = { agent: "pi", session, path, sizeBytes, modifiedMs: Date.now(), root };
  const written = { ref, files: [print], losses: [] };
  publishAll([file], () => options.intend?.(written));
  return written;
}

/** The folder of a working folder's sessions, or the one folder the environment names. */
function sessionFolder({ about, env }: WriteOptions): string {
  const named = namedSessionFolder(env);
  if (named !== undefined) return named;
  const encoded = about.cwd.replace(/^[/\\]/, "").replace(/[/\\:]/g, "-");
  return join(agentFolder(env), "sessions", `--${encoded}--`);
}

/** Entries linked by parent; ids are eight hex digits, unique in the file. */
class Chain {
  readonly #used = new Set<string>();
  #parent: string | null = null;

  link(type: string, timestamp: string, fields: object): object {
    const id = this.#freshId();
    const entry = { type, id, parentId: this.#parent, timestamp, ...fields };
    this.#parent = id;
    return entry;
  }

  *entries(message: OutgoingMessage): Generator<object> {
    const timestamp = Date.parse(message.at) || 0;
    switch (message.role) {
      case "summary": {
        // Nothing before the summary is kept, so it names itself as the first entry that is.
        const entry = this.link("compaction", message.at, {
          summary: message.text,
          tokensBefore: 0,
        });
        yield { ...entry, firstKeptEntryId: this.#parent };
        return;
      }
      case "user":
        yield this.link("message", message.at, {
          message: { role: "user", content: given(message.content), timestamp },
        });
        return;
      case "assistant":
        yield this.link("message", message.at, {
          message: { ...modelMessage(message), timestamp },
        });
        return;
      case "results":
        for (const { call, name, content, isError } of message.results) {
          const result = {
            role: "toolResult",
            toolCallId: call,
            toolName: name,
            content: given(content),
            isError,
            timestamp,
          };
          yield this.link("message", message.at, { message: result });
        }
        return;
    }
  }

  #freshId(): string {
    for (;;) {
      const id = randomUUID().slice(0, 8);
      if (this.#used.has(id)) continue;
      this.#used.add(id);
      return id;
    }
  }
}

/** A model message of a provider nobody has, so that pi never takes it for its own model's. */
function modelMessage(message: OutgoingAssistant): object {
  const { usage } = message;
  const input = usage?.input ?? 0;
  const output = usage?.output ?? 0;
  const cacheRead = usage?.cacheRead ?? 0;
  const cacheWrite = usage?.cacheWrite ?? 0;
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: usage?.cost ?? 0 };
  return {
    role: "assistant",
    content: message.content.flatMap((part): object[] => {
      if (part.type === "text") return [{ type: "text", text: part.text }];
      if (part.type === "tool_use")
        return [{ type: "toolCall", id: part.call, name: part.name, arguments: part.input }];
      return [];
    }),
    api: "imported",
    provider: "imported",
    model: message.model ?? "imported",
    usage: {
      input,
      output,
      cacheRead,
      cacheWrite,
      totalTokens: input + output + cacheRead + cacheWrite,
      cost,
    },
    stopReason: message.content.some(({ type }) => type === "tool_use") ? "toolUse" : "stop",
  };
}

function given(content: readonly (TextBlock | ImageBlock | FileBlock)[]): readonly object[] {
  return content.flatMap((block): object[] => {
    if (block.type === "text") return [{ type: "text", text: block.text }];
    if (block.source.kind !== "base64") return [];
    return [{ type: "image", data: block.source.data, mimeType: block.mediaType }];
  });
}
