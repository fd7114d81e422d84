import type { AgentEvent } from "../../../agents/contract.ts";
import { type NamedSession, referenceTo } from "../../../agents/reference.ts";
import { limits } from "../../../base/limits.ts";
import { dayTime } from "../../../base/local-time.ts";
import { count } from "../render/count.ts";
import type { CommandContext } from "../run/command.ts";
import { printPaged } from "../terminal/pager.ts";
import { safeLine } from "../terminal/terminal-text.ts";
import { truncated } from "../terminal/width.ts";
import { beginningOf, eventsBefore, type ListedPrompt, promptsIn } from "./prompts.ts";

/** Prints the prompts among some events, one in a line; those that are not in the context any more have a mark. */
export async function printPrompts(
  session: NamedSession,
  events: AsyncIterable<AgentEvent>,
  context: CommandContext,
): Promise<void> {
  const { colours, out } = context;
  const befores = await eventsBefore(session);
  const prompts: ListedPrompt[] = [];
  for await (const prompt of promptsIn(events)) {
    const before = befores.get(prompt.event);
    prompts.push({ ...prompt, ...(before !== undefined && { before }) });
  }
  if (context.json) return out.writeJson({ ref: referenceTo(session), prompts });
  if (prompts.length === 0) return out.write("No prompts.\n");
  const aside = prompts.filter(({ live }) => !live).length;
  const width = Math.max(...prompts.map(({ event }) => event.length));
  const lines = prompts.map((prompt) => {
    const { event, at, live } = prompt;
    const mark = aside === 0 ? "" : live ? "  " : "* ";
    const text = beginningOf(prompt, limits.titleChars);
    const line = `@${event.padEnd(width)}  ${mark}${dayTime(at).padEnd(16)}  ${text}`;
    const shown = truncated(safeLine(line), out.isTerminal ? out.columns : limits.titleChars);
    return `${live ? shown : colours.dim(shown)}\n`;
  });
  const total = `${count(prompts.length, "prompt")}. ${asideText(aside) ?? ""}`.trim();
  const closing = [total, insteadText(session, prompts)];
  for (const text of closing) {
    if (text !== undefined) lines.push(`\n${colours.dim(safeLine(text))}\n`);
  }
  await printPaged(lines, context);
}

function asideText(aside: number): string | undefined {
  if (aside === 0) return undefined;
  return `* ${notInContext(aside)}: compacted, or on an abandoned branch.`;
}

/** That some of a session's prompts are not in its context. */
export function notInContext(prompts: number): string {
  return prompts === 1
    ? "1 prompt is not in the context any more"
    : `${prompts} prompts are not in the context any more`;
}

/** How to ask something else instead of a prompt: in one step where the agent can be started; undefined where nothing was said before any. */
function insteadText(session: NamedSession, prompts: readonly ListedPrompt[]): string | undefined {
  const later = prompts.filter(({ before }) => before !== undefined);
  const last = later.at(-1);
  if (last === undefined) return undefined;
  const others = later.length === 1 ? "" : " The number of any other prompt works, too.";
  const { resume, writer } = session.agent;
  const canResume = resume !== undefined && writer !== undefined;
  const command = (verb: string): string =>
    `\`reprise ${verb} ${referenceTo(session)}@${last.event} --before\``;
  const forking = `${command("fork")} only writes the copy that ends before it.`;
  return canResume
    ? `To ask something else instead of the last one: ${command("resume")}; ${forking}${others}`
    : `To ask something else instead of the last one: ${command("fork")}.${others}`;
}
