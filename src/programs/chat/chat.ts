import { existsSync } from "node:fs";
import type { RepriseError } from "../../base/errors.ts";
import type { TurnEnd } from "../../loop/loop-event.ts";
import type { Model } from "../../loop/model.ts";
import type { LoopCompaction } from "../../loop/room.ts";
import { ownAgent } from "../../store/own-agent.ts";
import type { SessionManager } from "../../store/session-manager.ts";
import { count } from "../cli/render/count.ts";
import type { CommandContext } from "../cli/run/command.ts";
import { asRepriseError, errorText } from "../cli/run/errors.ts";
import { isScreen } from "../cli/terminal/output.ts";
import { safeLine } from "../cli/terminal/terminal-text.ts";
import { askFirst } from "./ask-first.ts";
import { type ChatStart, newSession, sessionToContinue } from "./begin.ts";
import { keysIn } from "./choose-model.ts";
import { ChatConversation } from "./conversation.ts";
import type { ChatInput } from "./input.ts";
import { instructionsFor } from "./instructions.ts";
import { pipedInput } from "./piped-input.ts";
import { showTurn } from "./show-turn.ts";
import { isSlash, runSlash } from "./slash/commands.ts";
import { plainAnswer, terminalAnswer } from "./terminal/answer-writer.ts";
import { terminalInput } from "./terminal/terminal-input.ts";
import { type toolSets, toolsFor } from "./tools/toolset.ts";

/** What a chat is started with. */
export interface ChatSetting {
  readonly start: ChatStart;
  readonly model: Model;
  readonly system: string | undefined;
  readonly tools: (typeof toolSets)[number];
  readonly compaction: LoopCompaction;
}

/** Talks with a model until the person leaves; everything said is in the session. */
export async function chat(setting: ChatSetting, context: CommandContext): Promise<void> {
  const { out, colours } = context;
  const session = await sessionToContinue(setting.start, context);
  const isSeen = !context.json && isScreen(0) && isScreen(1);
  const note = (text: string): void => {
    if (isSeen) process.stdout.write(`${text.replaceAll("\n", "\r\n")}\r\n`);
    else out.note(text);
  };
  const input = isSeen ? terminalInput({ colours, note }) : pipedInput();
  const conversation = conversationOf(setting, { ...context, session, input, isSeen, note });
  try {
    await tellStart(conversation, { context, note, isSeen });
    await talk(conversation, { context, input, note });
  } finally {
    input.close();
    await conversation.close();
  }
  const { session: last } = conversation;
  if (last === undefined || context.json) return;
  out.note(colours.dim(leavingText(last, setting.start)));
}

/** Where the session is, and how it is continued. */
function leavingText(session: SessionManager, { dir, modelName }: ChatStart): string {
  const id = session.getSessionId();
  const model = modelName === undefined ? "" : ` --model ${safeLine(modelName)}`;
  if (dir !== undefined)
    return `Kept as ${id}. Continue with \`reprise chat continue${model} --session-dir ${safeLine(dir)}\`.`;
  const ref = `${ownAgent}:${id}`;
  return `Kept as ${ref}. Continue with \`reprise chat continue${model}\`, or in another agent with \`reprise resume ${ref} --in <agent>\`.`;
}

interface Wiring extends CommandContext {
  readonly session: SessionManager | undefined;
  readonly input: ChatInput;
  readonly isSeen: boolean;
  note(text: string): void;
}

function conversationOf(setting: ChatSetting, wiring: Wiring): ChatConversation {
  const { session, input, isSeen, note, env, colours, out, json } = wiring;
  const { model } = setting;
  const cwd = workingFolder(session, env.cwd);
  const { variables } = env;
  const tools = toolsFor(setting.tools, { cwd, variables, secrets: keysIn(variables) });
  const answer = isSeen
    ? terminalAnswer(colours)
    : plainAnswer(json ? () => {} : (text) => void out.write(text));
  const write = (text: string): void => void process.stdout.write(text);
  return new ChatConversation(
    {
      model,
      tools,
      systemPrompt: setting.system ?? instructionsFor(cwd, tools),
      approve: askFirst(input, { colours, write }),
      compaction: setting.compaction,
      begin: (from) => newSession(setting.start, model.id, wiring, from),
      show: json ? () => {} : showTurn({ answer, colours, cwd, note }),
    },
    session,
  );
}

/** Where tools work: the session's own folder while it is there. */
function workingFolder(session: SessionManager | undefined, here: string): string {
  const own = session?.getHeader().cwd;
  return own !== undefined && existsSync(own) ? own : here;
}

/** Says which session and model it is, and what an earlier process left open. */
async function tellStart(
  conversation: ChatConversation,
  {
    context,
    note,
    isSeen,
  }: { readonly context: CommandContext; readonly isSeen: boolean; note(text: string): void },
): Promise<void> {
  const { session, parts } = conversation;
  const open = await conversation.openCalls();
  if (context.json) return;
  const { dim, yellow } = context.colours;
  if (isSeen) {
    const title = session?.getTitle();
    const where =
      session === undefined
        ? "a new session"
        : `${title === undefined ? "" : `${safeLine(title)}, `}${ownAgent}:${session.getSessionId()}`;
    note(dim(`${safeLine(parts.model.id)} · ${where} · /help`));
  }
  if (open.length > 0) {
    const names = open.map(({ name }) => safeLine(name)).join(", ");
    note(
      yellow(
        `The last process ended before ${count(open.length, "call")} (${names}) had a result.`,
      ),
    );
  }
}

async function talk(
  conversation: ChatConversation,
  wiring: { readonly context: CommandContext; readonly input: ChatInput; note(text: string): void },
): Promise<void> {
  const { context, input, note } = wiring;
  let initial: string | undefined;
  for (;;) {
    const text = await input.next({ history: conversation.history(), initial });
    initial = undefined;
    if (text === undefined) return;
    const stop = new AbortController();
    const forget = input.onInterrupt(() => stop.abort());
    const { signal } = stop;
    try {
      if (isSlash(text)) {
        conversation.remember(text);
        const say = (words: string): void => note(words);
        const end = await runSlash(text, { chat: conversation, context, signal, say });
        if (end?.leave === true) return;
        initial = end?.initial;
      } else {
        const end = await conversation.prompt(text, { signal });
        if (context.json) await context.out.writeJson(turnJson(conversation, end));
      }
    } catch (error) {
      // The session goes on, whatever a model or its server does.
      const clear = asRepriseError(error);
      if (context.json)
        await context.out.writeJson({ ...refOf(conversation), error: factsOf(clear) });
      else note(errorText(clear, context.colours));
      // A pipe has nobody who could try again.
      if (input.choose === undefined) process.exitCode = 1;
    } finally {
      forget();
    }
  }
}

function turnJson(conversation: ChatConversation, { text, reason, usage, steps }: TurnEnd): object {
  return { ...refOf(conversation), text, reason, steps, usage };
}

function refOf({ session }: ChatConversation): { readonly ref?: string } {
  return session === undefined ? {} : { ref: `${ownAgent}:${session.getSessionId()}` };
}

function factsOf({ code, message, hint }: RepriseError): object {
  return { code, message, hint };
}
