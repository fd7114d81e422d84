import { limits } from "./limits.ts";

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;

/** A key takes as much memory as several other values. */
const keyWeight = 4;

/**
 * Whether a JSON text makes more values, or nests them deeper, than is parsed: a few megabytes of brackets become
 * hundreds of megabytes of lists (P5). Looks at what stands outside of strings, once, and not at texts that are
 * too short for it, as nearly all are.
 */
export function isTooHeavy(text: string, unweighedChars: number = limits.unweighedChars): boolean {
  return text.length > unweighedChars && new JsonWeight().add(text);
}

/** The same of UTF-8, of which no text is made. */
export function areTooHeavy(
  bytes: Buffer,
  unweighedBytes: number = limits.unweighedChars,
): boolean {
  if (bytes.length <= unweighedBytes) return false;
  const weight = new JsonWeight();
  for (let at = 0; at < bytes.length; at += limits.chunkBytes) {
    if (weight.add(bytes.toString("latin1", at, at + limits.chunkBytes))) return true;
  }
  return false;
}

/** Weighs a JSON text piece by piece. */
class JsonWeight {
  #weight = 0;
  #depth = 0;
  #inString = false;
  /** The next character is escaped. */
  #escapes = false;

  /** Whether it is too heavy by now. */
  add(text: string): boolean {
    let at = this.#inString ? this.#afterString(text, this.#escapes ? 1 : 0) : 0;
    for (; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === quote) at = this.#afterString(text, at + 1) - 1;
      else if (code === comma) this.#weight += 1;
      else if (code === colon) this.#weight += keyWeight;
      // Brackets and braces, but for the one bit in which they differ.
      else if ((code & 0xdf) === 0x5b) {
        this.#weight += 1;
        this.#depth += 1;
        if (this.#depth > limits.parsedDepth) return true;
      } else if ((code & 0xdf) === 0x5d) this.#depth -= 1;
      else continue;
      if (this.#weight > limits.parsedWeight) return true;
    }
    return false;
  }

  /** Where what follows a string begins. */
  #afterString(text: string, from: number): number {
    for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 1)) {
      if (slashesBefore(text, at, from) % 2 === 1) continue;
      this.#inString = false;
      return at + 1;
    }
    this.#inString = true;
    this.#escapes = slashesBefore(text, text.length, from) % 2 === 1;
    return text.length;
  }
}

function slashesBefore(text: string, at: number, from: number): number {
  let slashes = 0;
  while (at - 1 - slashes >= from && text.charCodeAt(at - 1 - slashes) === backslash) slashes += 1;
  return slashes;
}
