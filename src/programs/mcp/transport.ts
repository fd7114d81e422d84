import type { Readable, Writable } from "node:stream";
import {
  type JSONRPCMessage,
  parseJSONRPCMessage,
  serializeMessage,
  type Transport,
} from "@modelcontextprotocol/server";
import { isObject } from "../../base/json.ts";
import { areTooHeavy } from "../../base/json-weight.ts";
import { limits } from "../../base/limits.ts";
import { newline } from "../../jsonl/line.ts";

const parseError = -32_700;
const invalidRequest = -32_600;

/**
 * Messages as lines on two streams. A line that is too long, too heavy or not a message is answered with an error, and the
 * next one is read. While the client does not read its answers, nothing more is read from it. When its input ends, what was
 * asked is still answered, for a moment.
 */
export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Resolves when the client is gone. */
  readonly ended: Promise<void>;
  readonly #input: Readable;
  readonly #output: Writable;
  #end: () => void = () => undefined;
  #pieces: Buffer[] = [];
  #bytes = 0;
  /** The rest of this line is passed over. */
  #isSkipping = false;
  /** Requests that were not answered yet. */
  #open = 0;
  #isEnding = false;

  constructor(input: Readable, output: Writable) {
    this.#input = input;
    this.#output = output;
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  async start(): Promise<void> {
    this.#input.on("data", (chunk: Buffer) => this.#take(chunk));
    this.#input.on("end", () => this.#finish());
    this.#input.on("error", () => void this.close());
    this.#output.on("error", () => void this.close());
    this.#output.on("drain", () => this.#input.resume());
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (!this.#output.writable) return;
    if (!this.#output.write(serializeMessage(message))) this.#input.pause();
    if (!("method" in message)) this.#open -= 1;
    if (this.#isEnding && this.#open <= 0) void this.close();
  }

  async close(): Promise<void> {
    this.#end();
    const { onclose } = this;
    delete this.onclose;
    onclose?.();
  }

  /** Closes once everything is answered, or after a moment. */
  #finish(): void {
    this.#isEnding = true;
    if (this.#open <= 0) void this.close();
    else setTimeout(() => void this.close(), limits.mcpLastAnswersMs).unref();
  }

  #take(chunk: Buffer): void {
    let from = 0;
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, from)) {
      this.#add(chunk.subarray(from, at));
      this.#finishLine();
      from = at + 1;
    }
    this.#add(chunk.subarray(from));
  }

  #add(piece: Buffer): void {
    if (this.#isSkipping || piece.length === 0) return;
    this.#bytes += piece.length;
    if (this.#bytes <= limits.mcpLineBytes) {
      this.#pieces.push(piece);
      return;
    }
    this.#isSkipping = true;
    this.#pieces = [];
    this.#refuse(invalidRequest, `A message has more than ${limits.mcpLineBytes} bytes.`);
  }

  #finishLine(): void {
    const [first, ...rest] = this.#pieces;
    this.#pieces = [];
    this.#bytes = 0;
    const isSkipped = this.#isSkipping;
    this.#isSkipping = false;
    if (isSkipped || first === undefined) return;
    this.#read(rest.length === 0 ? first : Buffer.concat([first, ...rest]));
  }

  #read(line: Buffer): void {
    if (areTooHeavy(line)) {
      this.#refuse(invalidRequest, "A message is nested or split too much.");
      return;
    }
    const text = line.toString("utf8").trim();
    if (text === "") return;
    let value: unknown;
    try {
      value = JSON.parse(text, withoutPrototype);
    } catch {
      this.#refuse(parseError, "A line is not JSON.");
      return;
    }
    // One of the protocols has batches: their answers come one by one.
    for (const one of Array.isArray(value) && value.length > 0 ? value : [value])
      this.#deliver(one);
  }

  #deliver(value: unknown): void {
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(value);
    } catch {
      const id = isObject(value) ? value["id"] : undefined;
      const named = typeof id === "string" || typeof id === "number" ? id : undefined;
      this.#refuse(invalidRequest, "A line is not a message of JSON-RPC 2.0.", named);
      return;
    }
    if ("method" in message && "id" in message) this.#open += 1;
    this.onmessage?.(message);
  }

  /** What has no id that can be reported is answered with the id null, as JSON-RPC says. */
  #refuse(code: number, message: string, id: string | number | null = null): void {
    const refusal = { jsonrpc: "2.0", id, error: { code, message } };
    if (this.#output.writable) this.#output.write(`${JSON.stringify(refusal)}\n`);
    this.onerror?.(new Error(message));
  }
}

/** A key that would change what an object is made of is not a data. */
function withoutPrototype(key: string, value: unknown): unknown {
  return key === "__proto__" ? undefined : value;
}
