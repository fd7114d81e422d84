import { asArray, isObject, type JsonObject } from "../../../base/json.ts";

/** Facts about a record, one bit each. */
export const flag = {
  user: 1,
  assistant: 2,
  system: 4,
  attachment: 8,
  sidechain: 16,
  boundary: 32,
  snapshot: 64,
  calls: 128,
  manyCalls: 256,
  results: 512,
  /** Taken out of a damaged line. */
  salvaged: 1024,
  hasChild: 2048,
  /** Said by the program in the user's name. */
  meta: 4096,
} as const;

/** What a record alone reports where it belongs. */
export function flagsOf(record: JsonObject): number {
  const { message, attachment } = record;
  const content = isObject(message) ? asArray(message["content"]) : [];
  const sidechain = record["isSidechain"] === true ? flag.sidechain : 0;
  switch (record["type"]) {
    case "user":
      return (
        flag.user |
        sidechain |
        (content.some(isResult) ? flag.results : 0) |
        (record["isMeta"] === true ? flag.meta : 0)
      );
    case "assistant": {
      const calls = content.filter(isCall).length;
      const counted = (calls > 0 ? flag.calls : 0) | (calls > 1 ? flag.manyCalls : 0);
      return flag.assistant | sidechain | counted;
    }
    case "system": {
      const isBoundary = record["subtype"] === "compact_boundary";
      return flag.system | sidechain | (isBoundary ? flag.boundary : 0);
    }
    case "attachment": {
      const isSnapshot = isObject(attachment) && attachment["type"] === "prompt_snapshot";
      return flag.attachment | sidechain | (isSnapshot ? flag.snapshot : 0);
    }
    default:
      return sidechain;
  }
}

function isCall(block: unknown): boolean {
  return isObject(block) && block["type"] === "tool_use";
}

function isResult(block: unknown): boolean {
  return isObject(block) && block["type"] === "tool_result";
}
