// A conversation that survives: run it, say something, kill it, run it again.
import { createInterface } from "node:readline";
import { SessionManager } from "reprise";

const session = SessionManager.continueRecent(process.cwd());
for await (const line of createInterface({ input: process.stdin })) {
  await session.appendUser(line);
  await session.appendAssistant(answer(session.buildSessionContext().messages), { endTurn: true });
}
await session.close();

/** Stands for a model: it is given everything that was said, in this run and in those before. */
function answer(messages) {
  const prompts = messages.filter(({ role }) => role === "user").length;
  const text = `I have heard ${prompts} prompts.`;
  console.log(text);
  return text;
}
