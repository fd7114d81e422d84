import { findSessions } from "../../../agents/find-sessions.ts";
import type { FoundSession } from "../../../agents/newest-sessions.ts";
import { readSession } from "../../../agents/reading.ts";
import { referenceTo } from "../../../agents/reference.ts";
import { RepriseError } from "../../../base/errors.ts";
import { limits } from "../../../base/limits.ts";
import { isWithin } from "../../../base/within.ts";
import { plainText } from "../../../model/block.ts";
import { isPrompt } from "../../../model/prompt.ts";
import { oneLine } from "../../../model/text.ts";
import { allCheckpoints, type Checkpoint } from "../../../snapshot/checkpoint.ts";
import { realPathOf } from "../../../store/project.ts";
import { checkpointJson } from "../render/checkpoint-json.ts";
import { checkpointLines } from "../render/checkpoint-text.ts";
import { shortTitleOf } from "../render/heading.ts";
import type { CommandContext } from "../run/command.ts";
import { homeOf } from "../sessions/native.ts";
import { safeLine } from "../terminal/terminal-text.ts";
import { padded } from "../terminal/width.ts";

/** Checkpoints and prompts that are offered, each. */
const offered = 10;

/** The place before something was asked for. */
interface BeforePrompt {
  readonly ref: string;
  readonly prompt: string;
}

/** Says where one can go back to in this project: its newest checkpoints, and the prompts of its newest session. */
export async function listPlaces(context: CommandContext): Promise<void> {
  const checkpoints = checkpointsHere(context).slice(-offered);
  const session = findSessions(context, { here: context.env.cwd, kind: "conversation" })[0];
  const prompts = session === undefined ? [] : await beforePrompts(session);
  if (context.json) {
    return context.out.writeJson({ checkpoints: checkpoints.map(checkpointJson), prompts });
  }
  if (checkpoints.length === 0 && session === undefined) {
    throw new RepriseError("not_found", "This project has no checkpoint and no session yet.", {
      hint: "Take a checkpoint with `reprise checkpoint`, or let agents take them: `reprise hooks install`.",
    });
  }
  const blocks = [checkpointsText(checkpoints, context)];
  if (session !== undefined) blocks.push(promptsText(session, prompts));
  await context.out.write(blocks.join("\n"));
}

function checkpointsHere(context: CommandContext): readonly Checkpoint[] {
  const here = realPathOf(context.env.cwd);
  return allCheckpoints(homeOf(context)).filter(
    ({ folder }) => isWithin(folder, here) || isWithin(here, folder),
  );
}

/** The last prompts of a session, each with the event before it. */
async function beforePrompts(session: FoundSession): Promise<readonly BeforePrompt[]> {
  const found: BeforePrompt[] = [];
  let before: string | undefined;
  for await (const { number, body, live } of readSession(session).events) {
    if (!live) continue;
    if (isPrompt(body) && before !== undefined) {
      const prompt = oneLine(plainText(body.content), limits.promptChars);
      found.push({ ref: `${referenceTo(session)}@${before}`, prompt });
      if (found.length > offered) found.shift();
    }
    before = number;
  }
  return found;
}

function checkpointsText(checkpoints: readonly Checkpoint[], context: CommandContext): string {
  const last = checkpoints.at(-1);
  if (last === undefined) {
    return "No checkpoint of this project: files cannot be brought back. Take one with `reprise checkpoint`.\n";
  }
  const how =
    last.session === undefined
      ? `Files: \`reprise rewind ${last.number} --files\``
      : `Files and conversation: \`reprise rewind ${last.number} --both\``;
  return `Checkpoints of this project:\n${checkpointLines(checkpoints, context)}${how}\n`;
}

function promptsText(session: FoundSession, prompts: readonly BeforePrompt[]): string {
  const title = `${shortTitleOf(session.head)} (${safeLine(referenceTo(session))})`;
  if (prompts.length === 0) return `No earlier prompt to go back to in ${title}.\n`;
  const width = Math.max(...prompts.map(({ ref }) => ref.length));
  const lines = prompts.map(
    ({ ref, prompt }) =>
      `${padded(safeLine(ref), width)}  before ${JSON.stringify(safeLine(prompt))}\n`,
  );
  return `Prompts of ${title}:\n${lines.join("")}Conversation: \`reprise rewind ${prompts.at(-1)!.ref}\`\n`;
}
