import { isRepriseError } from "../../../base/errors.ts";
import { summariseWith } from "../../../loop/summary.ts";
import { safeLine } from "../../cli/terminal/terminal-text.ts";
import { promptsOf } from "../conversation.ts";
import type { SlashEnd, SlashSetting } from "./commands.ts";

const strategies = ["truncate", "summarise", "rotate"] as const;

/** `/title`: shows or gives a title. */
export async function title(given: string, { chat, say }: SlashSetting): Promise<undefined> {
  if (given !== "") await chat.begunSession.setTitle(given);
  const known = chat.session?.getTitle();
  say(known === undefined ? "It has no title yet: /title <words> gives it one." : safeLine(known));
}

/** `/fork`: continues in a session that shares everything up to here. */
export async function fork(given: string, { chat, say }: SlashSetting): Promise<undefined> {
  const { session } = chat;
  if (session === undefined) {
    say("There is nothing to fork yet.");
    return;
  }
  const forked = session.fork(undefined, given === "" ? {} : { title: given });
  const before = session.getSessionId();
  await chat.goTo(forked);
  say(`Now in ${forked.getSessionId()}. ${before} stays as it is.`);
}

/** `/rewind`: goes back before the newest prompts; the oldest of them is offered to be typed anew. */
export async function rewind(
  given: string,
  { chat, say }: SlashSetting,
): Promise<SlashEnd | undefined> {
  const { session } = chat;
  const prompts = session === undefined ? [] : promptsOf(session);
  const back = given === "" ? 1 : /^\d{1,6}$/.test(given) ? Number(given) : 0;
  const prompt = prompts[prompts.length - back];
  if (session === undefined || prompt?.before === undefined) {
    say(
      back === 0
        ? "How many prompts back? /rewind 2 takes back the last two."
        : `There are ${prompts.length} prompts to go back.`,
    );
    return undefined;
  }
  const from = session.getLeafId();
  await session.rewind(prompt.before, "chat");
  say(
    `Went back before event ${prompt.event}. What came after stays in the log, up to event ${from}.`,
  );
  return { initial: prompt.text };
}

/** `/compact`: makes room now. */
export async function compact(
  given: string,
  { chat, say, signal }: SlashSetting,
): Promise<undefined> {
  const { session, parts } = chat;
  const strategy = strategies.find(
    (name) => name === (given || (parts.compaction.strategy ?? "summarise")),
  );
  if (strategy === undefined) {
    say(`/compact takes ${strategies.join(", ")} or nothing.`);
    return;
  }
  const { summaryModel } = parts.compaction;
  const how = summaryModel === undefined ? {} : { summarise: summariseWith(summaryModel) };
  const windowTokens = parts.compaction.windowTokens ?? parts.model.windowTokens ?? 100_000;
  try {
    const keepTokens = Math.floor(windowTokens / 10);
    const before = session?.buildSessionContext().contextTokens ?? 0;
    // Asked for by a person, it makes room also where there still is some.
    const done = await session?.compact({
      ...how,
      strategy,
      signal,
      keepTokens: Math.min(keepTokens, Math.floor(before / 3)),
    });
    if (session === undefined || done === undefined) say("There is nothing to take away.");
    else say(`About ${before} tokens became ${session.buildSessionContext().contextTokens}.`);
  } catch (error) {
    if (!isRepriseError(error, "aborted")) throw error;
    say("Stopped. Nothing was changed.");
  }
}

/** `/clear`: continues in a new session that names this one. */
export async function clear(_: string, { chat, say }: SlashSetting): Promise<undefined> {
  const { session, parts } = chat;
  if (session === undefined) {
    say("It is empty already.");
    return;
  }
  const before = { session: session.getSessionId(), event: session.getLeafId() };
  const fresh = parts.begin(before);
  await chat.goTo(fresh);
  say(`A new session: ${fresh.getSessionId()}. The one before is kept: ${before.session}.`);
}
