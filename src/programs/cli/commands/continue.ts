import { findSessions } from "../../../agents/find-sessions.ts";
import { knownAgent } from "../../../agents/known-agent.ts";
import { type NamedSession, resolveReference } from "../../../agents/reference.ts";
import { uuidv7 } from "../../../base/ids.ts";
import { ownAgent } from "../../../store/own-agent.ts";
import type { SessionManager } from "../../../store/session-manager.ts";
import { goOn } from "../resume/go-on.ts";
import { noteNewest } from "../resume/note-newest.ts";
import type { Command, CommandContext, Invocation } from "../run/command.ts";
import { isNative, openNative } from "../sessions/native.ts";

/** `reprise continue`: continues a session, in the program that wrote it or through our store. */
export const continueCommand: Command = {
  name: "continue",
  summary: "continue the newest session of this project",
  details: `Another agent's session is continued by that agent, and one of Reprise's own store in \`reprise chat\`. On a
terminal the program is started; with --print its command is printed. Without a terminal the command is printed, or the
reference of a session of our own, for \`reprise append\`; --json adds the messages a model would see. If this project has
no session, the reference of a new one is printed; \`append --begin\` creates it with its first event.`,
  args: [{ name: "[ref...]", says: "the session (default: the newest of this project)" }],
  flags: [
    { flags: "--agent <name>", says: "the newest session of this agent", kind: "text" },
    {
      flags: "--budget <tokens>",
      says: "with --json: limit the context to this many tokens",
      kind: "count",
    },
    { flags: "--print", says: "print the command instead of starting it", kind: "switch" },
  ],
  examples: [
    { line: "reprise continue", says: "or reprise --continue" },
    { line: "reprise continue 3f9a --print", says: "the command that continues it" },
    { line: "reprise resume @last --in codex", says: "continue it in another agent" },
    {
      line: "reprise continue @last --json | jq .messages",
      says: "the context of our own session",
    },
  ],
  json: `{ ref: string, isNew: boolean, session: string, file?: string, lastId: number, messages: ContextMessage[],
  contextTokens: number, leftOut: LeftOut[], remarks: Remark[] }
or, for another agent's session: { ref: string, agent: string, installed: boolean,
  command: { argv: string[], cwd?: string, env?: Record<string, string> },
  goneFolder?: string }`,
  run: async (invocation, context) => {
    const session = chosen(invocation, context);
    if (session === undefined) return offerNew(context);
    return continueSession(session, invocation, context);
  },
};

/** Continues a session that was found. */
export async function continueSession(
  session: NamedSession,
  invocation: Invocation,
  context: CommandContext,
): Promise<void> {
  if (isNative(session)) {
    const opens = !context.json && (context.out.isTerminal || invocation.flags.isSet("print"));
    if (!opens) return printNative(openNative(session, context), invocation, context);
    const { openChat } = await import("../resume/in-chat.ts");
    return openChat(session, { invocation, context });
  }
  return goOn(session, { invocation, context });
}

function chosen(invocation: Invocation, context: CommandContext): NamedSession | undefined {
  if (invocation.args.length > 0) return resolveReference(invocation.args.join(" "), context);
  const agent = knownAgent(
    invocation.flags.text("agent"),
    context.agents.map(({ name }) => name),
  );
  const kind = "conversation" as const;
  const here = { here: context.env.cwd, kind, ...(agent !== undefined && { agent }) };
  const [newest] = findSessions(context, here);
  if (newest !== undefined) noteNewest(newest, context);
  return newest;
}

/** Names a session that is made with its first event, and not before: who only looks leaves nothing behind. */
async function offerNew(context: CommandContext): Promise<void> {
  const session = uuidv7();
  const ref = `${ownAgent}:${session}`;
  if (!context.json) {
    context.out.note("This project has no session yet.");
    context.out.note(`Begin this one with \`reprise append ${ref} --begin\`.`);
    return context.out.write(`${ref}\n`);
  }
  const nothing = { lastId: 0, messages: [], contextTokens: 0, leftOut: [], remarks: [] };
  await context.out.writeJson({ ref, isNew: true, session, ...nothing });
}

async function printNative(
  session: SessionManager,
  { flags }: Invocation,
  context: CommandContext,
): Promise<void> {
  try {
    const id = session.getSessionId();
    // An id alone may be that of another agent's session too, from which this one was imported.
    const ref = `${ownAgent}:${id}`;
    if (!context.json) {
      context.out.note(`Talk in it with \`reprise chat --resume ${ref}\`.`);
      context.out.note(`Add events to it with \`reprise append ${ref}\`.`);
      return await context.out.write(`${ref}\n`);
    }
    const budgetTokens = flags.number("budget");
    const built = session.buildSessionContext(budgetTokens === undefined ? {} : { budgetTokens });
    const { messages, contextTokens, leftOut, remarks } = built;
    await context.out.writeJson({
      ref,
      isNew: false,
      session: id,
      file: session.getSessionFile(),
      lastId: session.getLeafId(),
      messages,
      contextTokens,
      leftOut,
      remarks,
    });
  } finally {
    await session.close();
  }
}
