import { RepriseError } from "../../../base/errors.ts";
import { limits } from "../../../base/limits.ts";

/** A value in a JSON text with comments, and where it stands. */
export type JsonNode = JsonObjectNode | JsonArrayNode | JsonScalarNode;

interface Place {
  readonly start: number;
  /** After the value. */
  readonly end: number;
}

/** An object: its members in the order of the text. */
export interface JsonObjectNode extends Place {
  readonly type: "object";
  readonly members: readonly JsonMember[];
}

/** A member: from the quote of its key to the end of its value. */
export interface JsonMember extends Place {
  readonly key: string;
  readonly value: JsonNode;
}

/** An array: its elements in the order of the text. */
export interface JsonArrayNode extends Place {
  readonly type: "array";
  readonly elements: readonly JsonNode[];
}

/** A string, number, true, false or null. */
export interface JsonScalarNode extends Place {
  readonly type: "scalar";
  readonly value: string | number | boolean | null;
}

/** Reads a JSON text that may have comments and commas before closing brackets; throws `bad_input` if it is none. */
export function parseJsonc(text: string): JsonNode {
  const scanner = new Scanner(text);
  const node = scanner.value(0);
  if (scanner.next() !== undefined) throw scanner.wrong();
  return node;
}

/** The member of an object, where the node is one and has it; of several with one name the last counts. */
export function memberOf(node: JsonNode | undefined, key: string): JsonMember | undefined {
  if (node?.type !== "object") return undefined;
  return node.members.findLast((member) => member.key === key);
}

/** The string of a member, or undefined. */
export function stringOf(node: JsonNode | undefined, key: string): string | undefined {
  const value = memberOf(node, key)?.value;
  return value?.type === "scalar" && typeof value.value === "string" ? value.value : undefined;
}

/** Where the blanks and comments that begin at an offset end. */
export function skipBlanks(text: string, from: number): number {
  const blanks = /(?:[\s\ufeff]|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
  blanks.lastIndex = from;
  blanks.exec(text);
  return blanks.lastIndex;
}

class Scanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The next character that means something, without taking it. */
  next(): string | undefined {
    this.#at = skipBlanks(this.#text, this.#at);
    return this.#text[this.#at];
  }

  value(depth: number): JsonNode {
    if (depth > limits.depth) throw this.wrong();
    const first = this.next();
    if (first === "{") return this.#object(depth);
    if (first === "[") return this.#array(depth);
    return this.#scalar();
  }

  #object(depth: number): JsonObjectNode {
    const start = this.#at;
    const members: JsonMember[] = [];
    this.#at += 1;
    while (this.next() !== "}") {
      const key = this.#scalar();
      if (typeof key.value !== "string") throw this.wrong();
      this.#take(":");
      const value = this.value(depth + 1);
      members.push({ key: key.value, value, start: key.start, end: value.end });
      if (this.next() === ",") this.#at += 1;
      else if (this.next() !== "}") throw this.wrong();
    }
    this.#at += 1;
    return { type: "object", members, start, end: this.#at };
  }

  #array(depth: number): JsonArrayNode {
    const start = this.#at;
    const elements: JsonNode[] = [];
    this.#at += 1;
    while (this.next() !== "]") {
      elements.push(this.value(depth + 1));
      if (this.next() === ",") this.#at += 1;
      else if (this.next() !== "]") throw this.wrong();
    }
    this.#at += 1;
    return { type: "array", elements, start, end: this.#at };
  }

  #scalar(): JsonScalarNode {
    this.next();
    const start = this.#at;
    const shape = /"(?:[^"\\\n]|\\.)*"|-?[0-9][0-9.eE+-]*|true|false|null/y;
    shape.lastIndex = start;
    const raw = shape.exec(this.#text)?.[0];
    if (raw === undefined) throw this.wrong();
    try {
      const value = JSON.parse(raw) as JsonScalarNode["value"];
      this.#at = start + raw.length;
      return { type: "scalar", value, start, end: this.#at };
    } catch {
      throw this.wrong();
    }
  }

  #take(character: string): void {
    if (this.next() !== character) throw this.wrong();
    this.#at += 1;
  }

  wrong(): RepriseError {
    const line = this.#text.slice(0, this.#at).split("\n").length;
    return new RepriseError("bad_input", `Line ${line} of the settings is not JSON.`);
  }
}
