import { isRepriseError } from "../../../base/errors.ts";
import { interruptible } from "../../../loop/interrupt.ts";
import { plainAnswer, terminalAnswer } from "../terminal/answer-writer.ts";
import type { SlashSetting } from "./commands.ts";

/** `/ask`: a question on a fork that is thrown away: the model sees the conversation, and nothing of it is kept. */
export async function ask(question: string, setting: SlashSetting): Promise<undefined> {
  const { chat, context, say, signal } = setting;
  if (question === "") {
    say("What do you want to ask? /ask <question>");
    return;
  }
  const { model } = chat.parts;
  const before = chat.session?.buildSessionContext().messages ?? [];
  const messages = [
    ...before,
    { role: "user", content: [{ type: "text", text: question }], events: [] } as const,
  ];
  const answer = context.out.isTerminal
    ? terminalAnswer(context.colours)
    : plainAnswer((text) => void context.out.write(text));
  try {
    for await (const part of interruptible(model.stream({ messages, tools: [], signal }), signal))
      if (part.type === "text") answer.text(part.text);
  } catch (error) {
    if (!signal.aborted) say(isRepriseError(error) ? error.message : String(error));
  } finally {
    answer.end();
  }
  say(context.colours.dim("(Not kept.)"));
}
