import { existsSync } from "node:fs";
import type { ResumeCommand } from "../../../agents/contract.ts";
import type { FoundSession } from "../../../agents/find-sessions.ts";
import { type NamedSession, referenceTo } from "../../../agents/reference.ts";
import { ownAgent } from "../../../store/own-agent.ts";
import type { CommandContext, Invocation } from "../run/command.ts";
import { isNative } from "../sessions/native.ts";
import { safeLine } from "../terminal/terminal-text.ts";
import { chatName } from "./chat-name.ts";
import {
  asksForAnother,
  convertSession,
  requestFrom,
  tellPlan,
  whereItCanRun,
  writtenText,
} from "./conversion.ts";
import { endingNote } from "./ending.ts";
import { commandText, launch } from "./launch.ts";

/** Continues a session in the chat: another agent's is written into the own store first. */
export async function resumeInChat(
  session: NamedSession,
  invocation: Invocation,
  context: CommandContext,
): Promise<void> {
  const { flags } = invocation;
  const stays = isNative(session) && session.event === undefined && !asksForAnother(invocation);
  if (flags.isSet("dryRun")) {
    if (!stays) {
      const request = requestFrom(session, ownAgent, invocation, context);
      const ending = await endingNote(session, invocation, { verb: "resume", isPlan: true });
      return tellPlan(request, context, ending);
    }
    return context.out.note("Nothing would be written: it continues where it is.");
  }
  const { made, converted } = stays
    ? { made: session, converted: undefined }
    : await written(session, invocation, context);
  return openChat(made, { invocation, context, converted });
}

/** Opens the chat with a session of our own, or prints its command. */
export async function openChat(
  session: FoundSession,
  given: {
    readonly invocation: Invocation;
    readonly context: CommandContext;
    /** What was converted to get here, for `--json`. */
    readonly converted?: object | undefined;
  },
): Promise<void> {
  const { context, converted } = given;
  const { flags } = given.invocation;
  const ref = referenceTo(session);
  const own = session.head.cwd ?? context.env.cwd;
  const cwd = existsSync(own) ? own : context.env.cwd;
  const words = ["chat", "--resume", ref];
  const command: ResumeCommand = { argv: ["reprise", ...words], cwd };
  if (context.json) {
    const answer = { ref, agent: chatName, installed: true, command };
    return context.out.writeJson(converted === undefined ? answer : { ...answer, converted });
  }
  if (cwd !== own)
    context.out.note(
      `The session's folder ${safeLine(own)} is gone; it continues in ${safeLine(cwd)}. Another folder: --cwd <folder>.`,
    );
  const starts = flags.isSet("launch") || (context.out.isTerminal && !flags.isSet("print"));
  if (!starts) return context.out.write(`${commandText(command)}\n`);
  // This program, wherever it lies.
  return launch({ argv: [process.execPath, process.argv[1]!, ...words], cwd }, context);
}

async function written(
  session: NamedSession,
  invocation: Invocation,
  context: CommandContext,
): Promise<{ readonly made: NamedSession; readonly converted: object }> {
  const request = whereItCanRun(requestFrom(session, ownAgent, invocation, context), context);
  const { written: file, entry, ...report } = await convertSession(request);
  const { ref } = file;
  const { target } = request;
  const made = { agent: target, ref, head: target.head(ref, context.env) ?? session.head };
  if (!context.json) {
    const ending = await endingNote(session, invocation, { verb: "resume" });
    const text = writtenText(request, report, ending);
    context.out.note(`Written as ${referenceTo(made)}. ${text}`);
  }
  return { made, converted: { ref: referenceTo(made), path: ref.path, entry, ...report } };
}
