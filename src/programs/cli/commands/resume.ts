import { findSessions } from "../../../agents/find-sessions.ts";
import { knownAgent } from "../../../agents/known-agent.ts";
import {
  type NamedSession,
  noSession,
  referenceTo,
  resolveReference,
} from "../../../agents/reference.ts";
import { isRepriseError, RepriseError } from "../../../base/errors.ts";
import { refuseKind } from "../../../convert/refuse-kind.ts";
import { chatName } from "../resume/chat-name.ts";
import {
  agreeToWrite,
  asksForAnother,
  conversionFlags,
  convertSession,
  reportShape,
  requestFrom,
  tellPlan,
  whereItCanRun,
  writtenText,
} from "../resume/conversion.ts";
import { beforeFlag, endedBefore, endingNote } from "../resume/ending.ts";
import { goOn } from "../resume/go-on.ts";
import { isInSource } from "../resume/in-source.ts";
import { commandText, isInstalled } from "../resume/launch.ts";
import { noteNewest } from "../resume/note-newest.ts";
import type { Command, CommandContext, Invocation } from "../run/command.ts";
import { isNative } from "../sessions/native.ts";
import { noteStored } from "../sessions/note-stored.ts";
import { namesPullRequest } from "../sessions/pull-request.ts";
import { isScreen } from "../terminal/output.ts";
import { continueSession } from "./continue.ts";

/** `reprise resume`: continues any session, in its own agent or in another one. */
export const resume: Command = {
  name: "resume",
  summary: "resume a session you name or choose, in its own agent or in another",
  details: `In its own agent a session continues where it is. For another agent (--in), from an earlier event (--at, ref@57), in
another folder (--cwd, --map) or shortened (--budget), a new session is written into the agent's store first, read back and
compared; \`reprise undo\` removes it. On a terminal the agent is started, otherwise its command is printed;
\`reprise fork <ref> --in codex\` writes the copy and starts nothing. If no session is named, choose one on the home screen; without a terminal it is the newest of this project. If ref@57 is a prompt, the
copy ends with it, unanswered; with --before it ends before it, so that something else can be asked (\`reprise show <ref> --prompts\`
lists prompts).`,
  args: [
    {
      name: "[ref...]",
      says: "the session, or an event of it; chosen on the home screen if none is named",
    },
  ],
  flags: [
    {
      flags: "--in <agent>",
      says: "the agent to continue in, such as codex; or chat, Reprise's own",
      kind: "text",
    },
    { flags: "--at <event>", says: "continue after this event", kind: "event" },
    beforeFlag,
    { flags: "--branch <name>", says: "the newest session of this git branch", kind: "text" },
    {
      flags: "--pr <number>",
      says: "the newest session that names this pull request",
      kind: "count",
    },
    { flags: "--launch", says: "start the agent even without a terminal", kind: "switch" },
    {
      flags: "--print",
      says: "print the command; write and start nothing",
      kind: "switch",
    },
    ...conversionFlags,
  ],
  examples: [
    { line: "reprise resume 3f9a --in codex", says: "a Claude Code session, in Codex" },
    { line: "reprise resume @last@57 --in pi --print", says: "from event 57, only the command" },
    { line: "reprise resume --branch feat/login", says: "the newest session of a branch" },
  ],
  json: `{ ref: string, agent: string, installed: boolean, command: { argv: string[], cwd?: string, env?: Record<string, string> },
  goneFolder?: string, converted?: { ref: string, path: string, entry: number } & Report }
Report = ${reportShape}`,
  changes: ({ flags }) => !flags.isSet("dryRun") && !flags.isSet("print"),
  run: async (invocation, context) => {
    if (asksForChoice(invocation, context)) {
      const { openHome } = await import("../home/open.ts");
      return openHome(invocation, context, { verb: "resume", filter: {} });
    }
    const session = await chosen(invocation, context);
    await noteStored(session, context);
    if (invocation.flags.text("in") === chatName) {
      return (await import("../resume/in-chat.ts")).resumeInChat(session, invocation, context);
    }
    const name = agentNamed(invocation, context) ?? session.agent.name;
    const isOwn = name === session.agent.name && !isInSource(session, context.env);
    const stays = isOwn && session.event === undefined && !asksForAnother(invocation);
    if (stays && isNative(session)) return continueSession(session, invocation, context);
    if (stays) {
      if (invocation.flags.isSet("dryRun")) {
        context.out.note("Nothing would be written: it continues where it is.");
      }
      return goOn(session, { invocation, context });
    }
    const request = whereItCanRun(requestFrom(session, name, invocation, context), context);
    const { target } = request;
    if (invocation.flags.isSet("dryRun")) {
      const ending = await endingNote(session, invocation, { verb: "resume", isPlan: true });
      return tellPlan(request, context, ending);
    }
    if (invocation.flags.isSet("print"))
      return printCommand(session, { invocation, context, name });
    await agreeToWrite(request, invocation, context);
    const { written, entry, ...report } = await convertSession(request);
    const { ref } = written;
    const made = { agent: target, ref, head: target.head(ref, context.env) ?? session.head };
    if (!context.json) {
      const ending = await endingNote(session, invocation, { verb: "resume" });
      const text = writtenText(request, report, ending);
      context.out.note(`Written as ${referenceTo(made)}. ${text}`);
    }
    await goOn(made, {
      invocation,
      context,
      source: session,
      converted: { ref: referenceTo(made), path: ref.path, entry, ...report },
    });
  },
};

function agentNamed({ flags }: Invocation, { agents }: CommandContext): string | undefined {
  return knownAgent(
    flags.text("in"),
    agents.map(({ name }) => name),
  );
}

/** Prints the command that would write the session for the other agent and start it; nothing is written. */
async function printCommand(
  session: NamedSession,
  given: {
    readonly invocation: Invocation;
    readonly context: CommandContext;
    readonly name: string;
  },
): Promise<void> {
  const { context, name } = given;
  const { flags } = given.invocation;
  refuseKind(session.head);
  const ref = referenceTo(session);
  const value = (flag: string): readonly string[] => {
    const text = flags.text(flag) ?? flags.number(flag)?.toString();
    return text === undefined ? [] : [`--${flag}`, text];
  };
  const argv = [
    ...["reprise", "resume", session.event === undefined ? ref : `${ref}@${session.event}`],
    ...["--in", name, ...value("cwd"), ...value("budget")],
    ...flags.texts("map").flatMap((mapping) => ["--map", mapping]),
    ...["strict", "unseal", "yes"].flatMap((flag) => (flags.isSet(flag) ? [`--${flag}`] : [])),
    "--launch",
  ];
  const target = context.agents.find((agent) => agent.name === name);
  const installed = target !== undefined && isInstalled(target, context.env);
  if (context.json)
    return context.out.writeJson({ ref, agent: name, installed, command: { argv } });
  await context.out.write(`${commandText({ argv })}\n`);
}

/** Whether no session is named in any way, and somebody is there who can choose one. */
function asksForChoice({ args, flags }: Invocation, { json }: CommandContext): boolean {
  const isNamed =
    args.length > 0 || ["branch", "pr", "in", "at", "before"].some((name) => flags.isSet(name));
  const isPrinted = json || ["print", "dryRun", "launch"].some((name) => flags.isSet(name));
  return !isNamed && !isPrinted && isScreen(0) && isScreen(1);
}

async function chosen(invocation: Invocation, context: CommandContext): Promise<NamedSession> {
  const { flags, args } = invocation;
  const at = flags.text("at");
  const session = args.length > 0 ? named(args, context) : await newest(invocation, context);
  return endedBefore(at === undefined ? session : { ...session, event: at }, invocation);
}

/** The session that is named; if an agent's name stands behind it, the hint says how an agent is chosen. */
function named(args: readonly string[], context: CommandContext): NamedSession {
  try {
    return resolveReference(args.join(" "), context);
  } catch (error) {
    const last = args.at(-1)!;
    const isAgent = args.length > 1 && context.agents.some(({ name }) => name === last);
    if (!isAgent || !isRepriseError(error) || error.code !== "not_found") throw error;
    const { code, message, details } = error;
    const hint = `To continue in another agent, type \`reprise resume ${args.slice(0, -1).join(" ")} --in ${last}\`.`;
    throw new RepriseError(code, message, { cause: error, details, hint });
  }
}

async function newest({ flags }: Invocation, context: CommandContext): Promise<NamedSession> {
  const branch = flags.text("branch");
  const pr = flags.number("pr");
  const found = findSessions(context, {
    here: context.env.cwd,
    kind: "conversation",
    ...(branch !== undefined && { branch }),
  });
  for (const session of found) {
    if (pr !== undefined && !(await namesPullRequest(session, pr))) continue;
    noteNewest(session, context);
    return session;
  }
  const ofBranch = branch === undefined ? "" : ` of branch ${branch}`;
  const ofRequest = pr === undefined ? "" : ` that names pull request ${pr}`;
  throw noSession(`This project has no session${ofBranch}${ofRequest}.`, context);
}
