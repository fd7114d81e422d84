import {
  type FoundSession,
  findSessions,
  type SessionFilter,
} from "../../../agents/find-sessions.ts";
import type { CommandContext, Invocation } from "../run/command.ts";
import { nextSteps, sampleWhereEmpty } from "../sessions/sample.ts";
import { homeActions } from "./actions.ts";
import { Home, type HomeOptions } from "./home.ts";

/** How the screen is opened, and for which sessions. */
interface Opened extends Pick<HomeOptions, "verb" | "query" | "message"> {
  readonly filter: SessionFilter;
}

/** Opens the home screen; a newcomer who typed nothing sees the sample, and what to try next. */
export async function openHome(
  invocation: Invocation,
  given: CommandContext,
  { filter, ...asked }: Opened,
): Promise<void> {
  const context = await sampleWhereEmpty(given);
  const find = (): readonly FoundSession[] => findSessions(context, filter);
  const options = { ...asked, find, isOnly: Object.keys(filter).length > 0 };
  const sessions = find();
  if (sessions.length === 0) {
    await context.out.write("No sessions.\n");
    return;
  }
  await new Home(sessions, { context, options, actions: homeActions(invocation) }).run();
  if (!context.sample || given.sample) return;
  const steps = nextSteps().map((line) => `  ${line}`);
  context.out.note(`\nTry:\n${steps.join("\n")}`);
}
