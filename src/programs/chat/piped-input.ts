import { createInterface } from "node:readline";
import type { ChatInput } from "./input.ts";

/** Prompts from a pipe or a file: a line each; a line that ends with a backslash continues in the next. */
export function pipedInput(): ChatInput {
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  return {
    next: async () => {
      let text = "";
      for (let line = await lines.next(); ; line = await lines.next()) {
        if (line.done === true) return text.trim() === "" ? undefined : text;
        if (line.value.endsWith("\\")) {
          text += `${line.value.slice(0, -1)}\n`;
          continue;
        }
        text += line.value;
        if (text.trim() !== "") return text;
        text = "";
      }
    },
    onInterrupt: (callback) => {
      process.on("SIGINT", callback);
      return () => process.off("SIGINT", callback);
    },
    close: () => {
      void lines.return?.();
      process.stdin.destroy();
    },
  };
}
