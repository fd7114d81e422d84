import { join } from "node:path";
import { refuseTouched, removeAdded } from "../../additions/added-file.ts";
import {
  appendPiece,
  type PiecePrint,
  pieceIn,
  removePiece,
  type StagedPiece,
  stagePiece,
} from "../../additions/added-piece.ts";
import { publishAll, stageLines } from "../../additions/staged-file.ts";
import { isRepriseError } from "../../base/errors.ts";
import { uuidv7 } from "../../base/ids.ts";
import { type FileBlock, type ImageBlock, soleText, type TextBlock } from "../../model/block.ts";
import type {
  OutgoingAbout,
  OutgoingAssistant,
  OutgoingMessage,
  OutgoingResult,
} from "../../model/outgoing.ts";
import { marked } from "../../model/unseen-mark.ts";
import type { AgentWriter, WriteOptions, Written } from "../contract.ts";
import { commonImages } from "../new-files.ts";
import { codexHome } from "./roots.ts";
import { rememberNames } from "./session-names.ts";
import { isProgramText } from "./typed-text.ts";

/** Writes new threads where Codex looks for them, in the form every version reads. */
export const writer: AgentWriter = {
  holds: {
    thinking: "same-model",
    images: commonImages,
    resultImages: true,
    files: false,
    tools: true,
  },
  write,
  takeBack,
};

async function write(
  messages: AsyncIterable<OutgoingMessage>,
  options: WriteOptions,
): Promise<Written> {
  const { about, env } = options;
  const session = uuidv7();
  const root = codexHome(env);
  const path = join(root, rolloutPath(session, new Date()));
  const file = await stageLines(path, options, async (put) => {
    const meta = sessionMeta(session, about);
    put({ timestamp: about.createdAt, type: "session_meta", payload: meta });
    const spoken = new Spoken();
    for await (const message of messages) {
      for (const [type, payload] of spoken.records(message)) {
        put({ timestamp: message.at, type, payload });
      }
    }
  });
  const print = file.finish();
  const { sizeBytes } = print;
  const ref = { agent: "codex", session, path, sizeBytes, modifiedMs: Date.now(), root };
  const name = nameOf(root, session, options);
  const rows = name === undefined ? {} : { rows: { name: name.print } };
  const written = { ref, files: [print], ...rows, losses: [] };
  publishAll([file], () => options.intend?.(written));
  try {
    if (name !== undefined) appendPiece(name);
  } catch (error) {
    removeAdded(written.files);
    throw error;
  }
  rememberNames(root);
  return written;
}

/** A name that others wrote behind stays: it names a thread that is no longer there, which hurts nobody. */
async function takeBack({ files, rows }: Written): Promise<readonly PiecePrint[]> {
  refuseTouched(files);
  const name = pieceIn(rows?.["name"]);
  const left = name === undefined || tryRemove(name) ? [] : [name];
  removeAdded(files);
  return left;
}

function tryRemove(piece: PiecePrint): boolean {
  try {
    removePiece(piece);
    return true;
  } catch (error) {
    if (isRepriseError(error, "conflict")) return false;
    throw error;
  }
}

/** Names are kept beside the threads, in an index whose last line about a thread counts. */
function nameOf(
  root: string,
  id: string,
  { about: { title }, staging }: WriteOptions,
): StagedPiece | undefined {
  if (title === undefined) return undefined;
  const entry = { id, thread_name: title, updated_at: new Date().toISOString() };
  const path = join(root, "session_index.jsonl");
  return stagePiece(path, `${JSON.stringify(entry)}\n`, { staging });
}

/** The path below the root: folders by day and a name with the local time, as the program makes them. */
function rolloutPath(session: string, now: Date): string {
  const two = (value: number): string => String(value).padStart(2, "0");
  const [year, month, day] = [
    String(now.getFullYear()),
    two(now.getMonth() + 1),
    two(now.getDate()),
  ];
  const time = [now.getHours(), now.getMinutes(), now.getSeconds()].map(two).join("-");
  return join(
    "sessions",
    year,
    month,
    day,
    `rollout-${year}-${month}-${day}T${time}-${session}.jsonl`,
  );
}

/** No provider is named: a thread of another provider than the user's is refused. */
function sessionMeta(id: string, about: OutgoingAbout): object {
  const { git } = about;
  return {
    id,
    timestamp: about.createdAt,
    cwd: about.cwd,
    originator: "reprise",
    cli_version: "0.0.0",
    source: "cli",
    ...(git !== undefined && { git: { commit_hash: git.commit, branch: git.branch } }),
    reprise_origin: about.from,
    ...(about.model !== undefined && { reprise_model: about.model }),
  };
}

/** What the model sees as response items, what the screen and the lists show as event messages beside them. */
class Spoken {
  /** Calls that were made as free text must be answered in kind. */
  readonly #freeform = new Set<string>();

  *records(message: OutgoingMessage): Generator<readonly [type: string, payload: object]> {
    switch (message.role) {
      case "summary": {
        const text = [{ type: "input_text", text: message.text }];
        const replacement_history = [{ type: "message", role: "user", content: text }];
        yield ["compacted", { message: message.text, replacement_history }];
        return;
      }
      case "user":
        yield* prompt(marked(message.content, isProgramText));
        return;
      case "assistant":
        for (const part of message.content) yield* this.#part(part);
        return;
      case "results":
        for (const result of message.results) yield ["response_item", this.#output(result)];
        return;
    }
  }

  *#part(part: OutgoingAssistant["content"][number]): Generator<readonly [string, object]> {
    switch (part.type) {
      case "text":
        yield [
          "response_item",
          {
            type: "message",
            role: "assistant",
            content: [{ type: "output_text", text: part.text }],
          },
        ];
        yield ["event_msg", { type: "agent_message", message: part.text }];
        return;
      case "thinking": {
        const summary = part.text === "" ? [] : [{ type: "summary_text", text: part.text }];
        yield [
          "response_item",
          { type: "reasoning", summary, encrypted_content: part.signature ?? null },
        ];
        return;
      }
      case "tool_use": {
        const { call: call_id, name, input } = part;
        const patch =
          name === "apply_patch" && Object.keys(input).length === 1 ? input["input"] : undefined;
        if (typeof patch === "string") {
          this.#freeform.add(call_id);
          yield [
            "response_item",
            { type: "custom_tool_call", status: "completed", call_id, name, input: patch },
          ];
        } else
          yield [
            "response_item",
            { type: "function_call", name, arguments: JSON.stringify(input), call_id },
          ];
        return;
      }
    }
  }

  #output({ call: call_id, content }: OutgoingResult): object {
    const type = this.#freeform.has(call_id) ? "custom_tool_call_output" : "function_call_output";
    const onlyText = content.every((block) => block.type === "text");
    return { type, call_id, output: onlyText ? textOf(content) : given(content) };
  }
}

function* prompt(
  content: readonly (TextBlock | ImageBlock | FileBlock)[],
): Generator<readonly [string, object]> {
  yield ["response_item", { type: "message", role: "user", content: given(content) }];
  yield ["event_msg", { type: "user_message", message: textOf(content) }];
}

function given(content: readonly (TextBlock | ImageBlock | FileBlock)[]): readonly object[] {
  return content.flatMap((block): object[] => {
    if (block.type === "text") return [{ type: "input_text", text: block.text }];
    if (block.source.kind !== "base64") return [];
    return [
      { type: "input_image", image_url: `data:${block.mediaType};base64,${block.source.data}` },
    ];
  });
}

function textOf(content: readonly (TextBlock | ImageBlock | FileBlock)[]): string {
  const sole = soleText(content);
  if (sole !== undefined) return sole;
  return content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
}
