import { createInterface } from "node:readline/promises";
import type { CommandContext } from "../run/command.ts";
import { isTerminal } from "./output.ts";

/** Asks a person a question whose answer is not a unless they say yes; where nobody sits, it is no. */
export async function askYesNo(
  question: string,
  { json }: Pick<CommandContext, "json">,
): Promise<boolean> {
  if (json || !isTerminal(0) || !isTerminal(2)) return false;
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(?:es)?$/i.test((await lines.question(`${question} [y/N] `)).trim());
  } finally {
    lines.close();
  }
}
