import type { CommandContext, Invocation } from "../command.ts";
import { runSearch } from "../search-run.ts";

/** Searches as the user types. */
export async function searchOnTerminal(
  invocation: Invocation,
  context: CommandContext,
): Promise<void> {
  return runSearch(invocation, context);
}
