import type { FileBlock, ImageBlock, TextBlock } from "../../../model/block.ts";
import type {
  OutgoingAbout,
  OutgoingAssistant,
  OutgoingMessage,
  OutgoingResult,
} from "../../../model/outgoing.ts";
import { IdMaker } from "./ids.ts";

/** The model a session runs with, as the program names it. */
export interface ModelName {
  readonly providerID: string;
  readonly modelID: string;
}

/** One message with its parts, as export and import of the program have it. */
export interface OutgoingRow {
  readonly id: string;
  readonly createdMs: number;
  readonly info: object;
  readonly parts: readonly { readonly id: string; readonly data: object }[];
}

const noTokens = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } };

/**
 * Makes messages and parts of a conversation. A call and its answer are one part, so a model message waits
 * for its answers. Times decide the order when the program replays: they always grow.
 */
export class RowMaker {
  readonly ids = new IdMaker();
  readonly #about: OutgoingAbout;
  readonly #model: ModelName;
  #ms = 0;
  #user = "";
  #waiting: OutgoingAssistant | undefined;

  constructor(about: OutgoingAbout, model: ModelName) {
    this.#about = about;
    this.#model = model;
  }

  *rows(message: OutgoingMessage): Generator<OutgoingRow> {
    if (message.role === "results") {
      yield* this.end(message.results);
      return;
    }
    yield* this.end();
    switch (message.role) {
      case "assistant":
        this.#waiting = message;
        return;
      case "user":
        yield this.#userRow(message.at, message.content.map(givenPart));
        return;
      case "summary":
        yield this.#userRow(message.at, [{ type: "compaction", auto: false }]);
        yield this.#summaryRow(message.at, message.text);
        return;
    }
  }

  /** The message that still waits for answers. */
  *end(results: readonly OutgoingResult[] = []): Generator<OutgoingRow> {
    const message = this.#waiting;
    this.#waiting = undefined;
    if (message === undefined) return;
    const createdMs = this.#tick(message.at);
    const parts: object[] = [{ type: "step-start" }];
    let called = false;
    for (const part of message.content) {
      if (part.type === "tool_use") {
        parts.push(
          toolPart(part, { createdMs, result: results.find(({ call }) => call === part.call) }),
        );
        called = true;
      } else if (part.type === "text") {
        // Without a new step the program would say the text before the calls it follows.
        if (called) parts.push({ type: "step-start" });
        parts.push({ type: "text", text: part.text, time: { start: createdMs, end: createdMs } });
        called = false;
      }
    }
    const { usage, model } = message;
    const tokens = {
      input: usage?.input ?? 0,
      output: usage?.output ?? 0,
      reasoning: usage?.reasoning ?? 0,
      cache: { read: usage?.cacheRead ?? 0, write: usage?.cacheWrite ?? 0 },
    };
    const finish = results.length > 0 ? "tool-calls" : "stop";
    const info = {
      ...this.#assistant(createdMs),
      tokens,
      finish,
      ...(model !== undefined && { modelID: model }),
    };
    yield this.#row(createdMs, info, parts);
  }

  #userRow(at: string, parts: readonly object[]): OutgoingRow {
    const createdMs = this.#tick(at);
    const row = this.#row(
      createdMs,
      { role: "user", time: { created: createdMs }, agent: "build", model: this.#model },
      parts,
    );
    this.#user = row.id;
    return row;
  }

  #summaryRow(at: string, text: string): OutgoingRow {
    const createdMs = this.#tick(at);
    const info = {
      ...this.#assistant(createdMs),
      mode: "compaction",
      agent: "compaction",
      summary: true,
      tokens: noTokens,
      finish: "stop",
    };
    return this.#row(createdMs, info, [
      { type: "step-start" },
      { type: "text", text, time: { start: createdMs, end: createdMs } },
    ]);
  }

  #assistant(createdMs: number): object {
    const { cwd } = this.#about;
    return {
      role: "assistant",
      parentID: this.#user,
      mode: "build",
      agent: "build",
      ...this.#model,
      path: { cwd, root: cwd },
      cost: 0,
      time: { created: createdMs, completed: createdMs },
    };
  }

  #row(createdMs: number, info: object, parts: readonly object[]): OutgoingRow {
    const id = this.ids.message(createdMs);
    return {
      id,
      createdMs,
      info,
      parts: parts.map((data) => ({ id: this.ids.part(createdMs), data })),
    };
  }

  #tick(at: string): number {
    this.#ms = Math.max(this.#ms + 1, Date.parse(at) || 0);
    return this.#ms;
  }
}

function givenPart(block: TextBlock | ImageBlock | FileBlock): object {
  if (block.type === "text") return { type: "text", text: block.text };
  const data = block.source.kind === "base64" ? block.source.data : "";
  const filename = block.name === undefined ? {} : { filename: block.name };
  return {
    type: "file",
    mime: block.mediaType,
    ...filename,
    url: `data:${block.mediaType};base64,${data}`,
  };
}

function toolPart(
  call: { readonly call: string; readonly name: string; readonly input: object },
  told: { readonly createdMs: number; readonly result: OutgoingResult | undefined },
): object {
  const { createdMs, result } = told;
  const time = { start: createdMs, end: createdMs };
  const text = (result?.content ?? [])
    .flatMap((block) => (block.type === "text" ? [block.text] : []))
    .join("\n");
  const state = result?.isError
    ? { status: "error", input: call.input, error: text, time }
    : { status: "completed", input: call.input, output: text, title: "", metadata: {}, time };
  return { type: "tool", callID: call.call, tool: call.name, state };
}
