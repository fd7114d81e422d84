import { plainText } from "./block.ts";
import type { ToolResultEvent } from "./event.ts";

/** What stands for an answer that nobody recorded: APIs refuse a call without one. */
export const missingResult = "No result was recorded.";

/** Whether a result only stands for one that nobody recorded. */
export function isMissingResult({ content }: ToolResultEvent): boolean {
  return plainText(content).trim() === missingResult;
}
