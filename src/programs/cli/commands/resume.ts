import type { ResumeCommand } from "../../../agents/contract.ts";
import { RepriseError } from "../../../base/errors.ts";
import type { Command, CommandContext, Invocation } from "../command.ts";
import {
  conversionFlags,
  conversionRequest,
  convertAndRecord,
  reportShape,
  reportText,
  targetNamed,
  tellPlan,
} from "../conversion.ts";
import { commandText, isInstalled, launch } from "../launch.ts";
import { isNative } from "../native.ts";
import { type Resolved, referenceTo, resolveReference } from "../reference.ts";
import { findSessions } from "../sessions.ts";
import { continueSession } from "./continue.ts";

/** `reprise resume`: goes on with any session, in its own agent or in another one. */
export const resume: Command = {
  name: "resume",
  summary: "go on with any session, in its own agent or in another",
  details: `In its own agent a session is continued where it is. For another agent (--in) or from an earlier event
(--at, ref@57) a new session is written into that agent's store first, read back and compared; \`reprise undo\`
removes it again. On a terminal the agent is started, elsewhere its command is printed.`,
  args: [
    {
      name: "[ref...]",
      says: "the session, or an event of it; the newest of this project where none is named",
    },
  ],
  flags: [
    { flags: "--in <agent>", says: "the agent to go on in", kind: "text" },
    { flags: "--at <event>", says: "go on after this event", kind: "event" },
    { flags: "--branch <name>", says: "the newest session of this git branch", kind: "text" },
    {
      flags: "--pr <number>",
      says: "the newest session that names this pull request",
      kind: "count",
    },
    { flags: "--launch", says: "start the agent, whatever standard output is", kind: "switch" },
    { flags: "--print", says: "print the command instead of starting it", kind: "switch" },
    ...conversionFlags,
  ],
  examples: [
    { line: "reprise resume 3f9a --in codex", says: "a Claude Code session, in Codex" },
    { line: "reprise resume @last@57 --in pi --print", says: "from event 57, only the command" },
    { line: "reprise resume --branch feat/login", says: "the newest session of a branch" },
  ],
  json: `{ ref: string, agent: string, installed: boolean, command: { argv: string[], cwd?: string, env?: Record<string, string> },
  converted?: { ref: string, path: string, entry: number } & Report }
Report = ${reportShape}`,
  run: async (invocation, context) => {
    const session = chosen(invocation, context);
    const name = invocation.flags.text("in") ?? session.agent.name;
    const stays = name === session.agent.name && session.event === undefined;
    if (stays && isNative(session)) return continueSession(session, invocation, context);
    if (stays) return go(session, { invocation, context });
    const target = targetNamed(name, context);
    const request = conversionRequest(session, target, invocation, context);
    if (invocation.flags.isSet("dryRun")) return tellPlan(request, context);
    const { converted, entry } = await convertAndRecord(request, context);
    const { ref } = converted.written;
    const { written: _written, ...report } = converted;
    const made = { agent: target, ref, head: target.head(ref, context.env) ?? session.head };
    context.out.note(`Written as ${target.name}:${ref.session}. ${reportText(report)}`);
    await go(made, {
      invocation,
      context,
      converted: { ref: referenceTo(made), path: ref.path, entry, ...report },
    });
  },
};

/** Starts the agent, or prints its command; an agent that is not there is told, with those that are. */
async function go(
  session: Resolved,
  told: {
    readonly invocation: Invocation;
    readonly context: CommandContext;
    readonly converted?: object;
  },
): Promise<void> {
  const { invocation, context, converted } = told;
  const command: ResumeCommand | undefined = session.agent.resume?.(session.ref, session.head);
  if (command === undefined) {
    if (converted !== undefined && context.json)
      return context.out.writeJson({
        ref: referenceTo(session),
        agent: session.agent.name,
        converted,
      });
    if (converted !== undefined) return context.out.write(`${referenceTo(session)}\n`);
    throw new RepriseError(
      "unsupported",
      `${session.agent.title} cannot continue a session by command.`,
    );
  }
  const installed = isInstalled(session.agent, context.env);
  if (context.json) {
    const answer = { ref: referenceTo(session), agent: session.agent.name, installed, command };
    return context.out.writeJson(converted === undefined ? answer : { ...answer, converted });
  }
  if (!installed) {
    const others = installedNames(context);
    const offer =
      others.length === 0
        ? "No other agent was found either."
        : `Installed here: ${others.join(", ")}.`;
    context.out.note(`${session.agent.title} is not installed on this machine. ${offer}`);
  }
  const { flags } = invocation;
  const starts =
    flags.isSet("launch") || (context.out.isTerminal && !flags.isSet("print") && installed);
  if (starts) return launch(command, context);
  await context.out.write(`${commandText(command)}\n`);
}

function installedNames(context: CommandContext): readonly string[] {
  return context.agents
    .filter((agent) => agent.writer !== undefined && isInstalled(agent, context.env))
    .map(({ name }) => name);
}

function chosen(invocation: Invocation, context: CommandContext): Resolved {
  const { flags, args } = invocation;
  const at = flags.text("at");
  const session =
    args.length > 0 ? resolveReference(args.join(" "), context) : newest(invocation, context);
  return at === undefined ? session : { ...session, event: at };
}

function newest({ flags }: Invocation, context: CommandContext): Resolved {
  const branch = flags.text("branch");
  const pr = flags.number("pr");
  const found = findSessions(context, {
    here: context.env.cwd,
    ...(branch !== undefined && { branch }),
  });
  const session =
    pr === undefined ? found[0] : found.find(({ head }) => namesPullRequest(head, pr));
  if (session !== undefined) return session;
  const what =
    branch !== undefined
      ? ` of branch ${branch}`
      : pr !== undefined
        ? ` that names pull request ${pr}`
        : "";
  throw new RepriseError("not_found", `This project has no session${what}.`);
}

/** Whether what is recorded of a session names a pull request: its link, or the branch git makes for it. */
function namesPullRequest(head: Resolved["head"], pr: number): boolean {
  const link = new RegExp(`(?:/pull/|/pulls/|/merge_requests/|\\bPR ?#?|#)${pr}\\b`, "i");
  return (
    link.test(head.title ?? "") ||
    link.test(head.git?.branch ?? "") ||
    new RegExp(`^pr[-/]${pr}\\b`).test(head.git?.branch ?? "")
  );
}
