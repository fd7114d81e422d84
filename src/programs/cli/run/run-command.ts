import { safeLine } from "../terminal/terminal-text.ts";
import type { Command, CommandContext, Invocation } from "./command.ts";

/** Runs a command; where it is about to change something, what killed commands left is settled first. */
export async function runCommand(
  command: Command,
  invocation: Invocation,
  context: CommandContext,
): Promise<void> {
  const running = command.changes?.(invocation) ? await beginChange(context) : undefined;
  try {
    await command.run(invocation, context);
  } finally {
    running?.end();
  }
}

/** Settles what killed commands left, and leaves a note of this one. */
async function beginChange({ env, out }: CommandContext): Promise<{ end(): void } | undefined> {
  const { beginChange: begin } = await import("../../../store/begin-change.ts");
  const register = async (): Promise<void> =>
    (await import("./taking-back.ts")).registerTakingBack();
  return begin({ env, register, tell: (sentence) => out.note(safeLine(sentence)) });
}
