import { createInterface } from "node:readline/promises";
import { RepriseError } from "../../../base/errors.ts";

/** Which sides go back. */
export interface Sides {
  readonly files: boolean;
  readonly conversation: boolean;
}

/** Asks the person at the terminal which sides shall go back. */
export async function askSides(): Promise<Sides> {
  const questions = openQuestions();
  const answer = await questions.ask("Go back with [f]iles, [c]onversation or [b]oth? ");
  questions.close();
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

/** Questions to the person at the terminal; close it in the end. */
export interface Questions {
  /** What is typed after a question; nothing if the input ends. */
  ask(question: string): Promise<string>;
  close(): void;
}

/** Opens the terminal for questions. */
export function openQuestions(): Questions {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const ended = new Promise<string>((resolve) => lines.once("close", () => resolve("")));
  return {
    ask: (question) => Promise.race([lines.question(question), ended]),
    close: () => lines.close(),
  };
}
