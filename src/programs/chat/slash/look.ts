import type { SlashSetting } from "./commands.ts";

/** `/usage`: tokens spent, and how full the window is. */
export function tellUsage(_: string, { chat, say }: SlashSetting): undefined {
  const { session, parts } = chat;
  if (session === undefined) {
    say("Nothing was spent yet.");
    return;
  }
  const { input = 0, output = 0, cacheRead = 0, cacheWrite = 0 } = session.usage();
  const number = (count: number): string => count.toLocaleString("en");
  const cached =
    cacheRead + cacheWrite === 0
      ? ""
      : ` · cache ${number(cacheRead)} read, ${number(cacheWrite)} written`;
  const { contextTokens } = session.buildSessionContext();
  const windowTokens = parts.compaction.windowTokens ?? parts.model.windowTokens;
  const share =
    windowTokens === undefined
      ? ""
      : ` of ${number(windowTokens)} (${Math.round((100 * contextTokens) / windowTokens)} %)`;
  say(
    [
      `Model    ${parts.model.id}`,
      `Spent    input ${number(input)} · output ${number(output)}${cached}`,
      `Context  ${number(contextTokens)} tokens${share}`,
    ].join("\n"),
  );
}

/** `/tools`: what the model may call. */
export function tellTools(_: string, { chat, say }: SlashSetting): undefined {
  const { tools } = chat.parts;
  say(
    tools.length === 0
      ? "The model has no tools (--tools none)."
      : tools.map(({ name, description }) => `${name.padEnd(6)} ${description}`).join("\n"),
  );
}
