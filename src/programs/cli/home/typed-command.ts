import { isRepriseError } from "../../../base/errors.ts";
import type { CommandContext } from "../run/command.ts";
import { commandNamed } from "../run/commands.ts";
import { parseInvocation } from "../run/parse.ts";
import { runCommand } from "../run/run-command.ts";
import { safeLine, safeText } from "../terminal/terminal-text.ts";

/** How a command ended that was run behind the screen. */
export interface Ran {
  /** All that it printed. */
  readonly text: string;
  /** What of it is for programs, such as the reference of what was made; the rest is for people. */
  readonly result: string;
  /** It asks for a yes first; the text is its plan. */
  readonly asks: boolean;
  readonly failed: boolean;
}

/** Runs a command as if it were typed, and says what it printed; nothing reaches the terminal. */
export async function runQuietly(argv: readonly string[], context: CommandContext): Promise<Ran> {
  const printed: string[] = [];
  const results: string[] = [];
  const out = {
    isTerminal: false,
    columns: context.out.columns,
    rows: context.out.rows,
    write: async (text: string) => {
      printed.push(text);
      results.push(text);
    },
    writeJson: async () => {},
    note: (text: string) => void printed.push(`${text}\n`),
  };
  const shown = (pieces: readonly string[]): string => safeText(pieces.join("")).trim();
  const ended = (): Pick<Ran, "text" | "result"> => {
    return { text: shown(printed), result: shown(results) };
  };
  try {
    await runTyped(argv, { ...context, out });
    return { ...ended(), asks: false, failed: false };
  } catch (error) {
    if (isRepriseError(error, "needs_yes")) return { ...ended(), asks: true, failed: false };
    const why = error instanceof Error ? error.message : String(error);
    const hint = isRepriseError(error) ? ` ${error.hint}` : "";
    return { text: safeLine(`${why}${hint}`), result: "", asks: false, failed: true };
  }
}

/** Runs a command as if it were typed, on the terminal. */
export async function runTyped(argv: readonly string[], context: CommandContext): Promise<void> {
  const [name = "", ...words] = argv;
  const command = await commandNamed(name)!.load();
  const invocation = parseInvocation(command, words, context);
  if ("help" in invocation) return;
  await runCommand(command, invocation, context);
}
