import { type FoundSession, findSessions } from "../../../agents/find-sessions.ts";
import type { CommandContext, Invocation } from "../run/command.ts";
import { nextSteps, sampleWhereEmpty } from "../sessions/sample.ts";
import { homeActions } from "./actions.ts";
import { Home, type HomeOptions } from "./home.ts";

/** Opens the home screen; a newcomer who typed nothing sees the sample, and what to try next. */
export async function openHome(
  invocation: Invocation,
  given: CommandContext,
  options: HomeOptions & { readonly sessions?: readonly FoundSession[] },
): Promise<void> {
  const context = await sampleWhereEmpty(given);
  const sessions = options.sessions ?? findSessions(context, options.filter);
  if (sessions.length === 0) {
    await context.out.write("No sessions.\n");
    return;
  }
  await new Home(sessions, { context, options, actions: homeActions(invocation) }).run();
  if (!context.sample || given.sample) return;
  const steps = nextSteps().map((line) => `  ${line}`);
  context.out.note(`\nTry:\n${steps.join("\n")}`);
}
