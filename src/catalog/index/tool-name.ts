import { wordsOf } from "../query/words.ts";

/** Whether `tool:` means a tool: it says the name or the first words of it, such as the server of an MCP tool. */
export function isTool(name: string, value: string): boolean {
  const words = wordsOf(name);
  return wordsOf(value).every((word, at) => words[at] === word);
}
