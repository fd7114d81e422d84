import { createInterface } from "node:readline/promises";
import { RepriseError } from "../../../base/errors.ts";

/** Which sides go back. */
export interface Sides {
  readonly files: boolean;
  readonly conversation: boolean;
}

/** Asks the person at the terminal which sides shall go back. */
export async function askSides(): Promise<Sides> {
  const answer = await ask("Go back with [f]iles, [c]onversation or [b]oth? ");
  switch (answer.trim().toLowerCase().charAt(0)) {
    case "f":
      return { files: true, conversation: false };
    case "c":
      return { files: false, conversation: true };
    case "b":
      return { files: true, conversation: true };
    default:
      throw new RepriseError("usage", "Nothing was chosen; nothing was done.", {
        hint: "Give --files, --conversation or --both.",
      });
  }
}

/** What a person types after a question; nothing where the input ends. */
export async function ask(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const ended = new Promise<string>((resolve) => lines.once("close", () => resolve("")));
    return await Promise.race([lines.question(question), ended]);
  } finally {
    lines.close();
  }
}
