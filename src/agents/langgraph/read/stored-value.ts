import { isTooHeavy } from "../../../base/json-weight.ts";
import { decryptEax } from "./eax.ts";
import { decodeMsgpack } from "./msgpack.ts";
import { plainValue } from "./plain-value.ts";

/** A stored value, or why it is not told. */
export type StoredValue =
  | { readonly value: unknown }
  /** `opaque`: of a type that is never decoded, such as a pickle, or sealed with another key. */
  | { readonly value?: undefined; readonly why: "opaque" | "damaged" };

/**
 * What a row holds, by the type it states. A pickle is never looked into: to load one runs what it says. What is sealed is
 * opened with the key that LangGraph itself takes from `LANGGRAPH_AES_KEY`.
 */
export function storedValue(type: unknown, bytes: unknown, key: string | undefined): StoredValue {
  if (typeof type !== "string") return { why: "damaged" };
  const [kind = "", cipher] = type.split("+", 2);
  const stored = typeof bytes === "string" ? Buffer.from(bytes) : bytes;
  if (kind === "null") return { value: null };
  if (!(stored instanceof Uint8Array)) return { why: "damaged" };
  if (cipher !== undefined) {
    if (cipher !== "aes" || key === undefined) return { why: "opaque" };
    const open = decryptEax(stored, Buffer.from(key));
    return open === undefined ? { why: "opaque" } : decoded(kind, open);
  }
  return decoded(kind, stored);
}

function decoded(kind: string, bytes: Uint8Array): StoredValue {
  try {
    switch (kind) {
      case "json": {
        const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
        return isTooHeavy(text) ? { why: "damaged" } : { value: plainValue(JSON.parse(text)) };
      }
      case "msgpack":
        return { value: plainValue(decodeMsgpack(bytes)) };
      case "bytes":
      case "bytearray":
        return { value: `(${bytes.length} bytes)` };
      default:
        return { why: "opaque" };
    }
  } catch (error) {
    if (error instanceof RangeError || error instanceof SyntaxError) return { why: "damaged" };
    throw error;
  }
}
