import { existsSync } from "node:fs";
import type { ResumeCommand } from "../../../agents/contract.ts";
import type { FoundSession } from "../../../agents/find-sessions.ts";
import { referenceTo } from "../../../agents/reference.ts";
import { RepriseError } from "../../../base/errors.ts";
import { refuseKind } from "../../../convert/refuse-kind.ts";
import { homely } from "../render/path-text.ts";
import type { CommandContext, Invocation } from "../run/command.ts";
import { safeLine } from "../terminal/terminal-text.ts";
import { commandText, isInstalled, launch } from "./launch.ts";

/** How to continue a session that is where it belongs. */
export interface GoOn {
  readonly invocation: Invocation;
  readonly context: CommandContext;
  /** What was converted to get here, for `--json`. */
  readonly converted?: object;
  /** The session as the user named it, for offers; the session itself if absent. */
  readonly source?: FoundSession;
}

/**
 * Starts a session's agent on this terminal, or prints the command. An agent that is not installed, and a
 * folder that is gone, are reported instead of tried.
 */
export async function goOn(session: FoundSession, given: GoOn): Promise<void> {
  refuseKind(session.head);
  const { context, converted } = given;
  const { flags } = given.invocation;
  const ref = referenceTo(session);
  const agent = session.agent.name;
  const command = commandOf(session, context);
  if (command === undefined) {
    if (converted === undefined) throw cannotContinue(session, context);
    if (context.json) return context.out.writeJson({ ref, agent, converted });
    return context.out.write(`${safeLine(ref)}\n`);
  }
  const installed = isInstalled(session.agent, context.env);
  const goneFolder = goneFolderOf(session);
  if (context.json) {
    const answer = { ref, agent, installed, command, ...(goneFolder && { goneFolder }) };
    return context.out.writeJson(converted === undefined ? answer : { ...answer, converted });
  }
  if (goneFolder !== undefined) noteGone(session, { goneFolder, command, context });
  if (!installed)
    context.out.note(safeLine(notInstalled(given.source ?? session, session, context)));
  const mayStart = context.out.isTerminal && installed;
  const starts = !flags.isSet("dryRun") && !flags.isSet("print") && mayStart;
  if (starts || flags.isSet("launch")) return launch(command, context);
  await context.out.write(`${commandText(command)}\n`);
}

/** The folder a session ran in, if it is gone. */
function goneFolderOf({ head }: FoundSession): string | undefined {
  return head.cwd === undefined || existsSync(head.cwd) ? undefined : head.cwd;
}

/** Says that a session's folder is gone; refuses with `unsupported` if its agent cannot continue without it. */
function noteGone(
  session: FoundSession,
  given: {
    readonly goneFolder: string;
    readonly command: ResumeCommand;
    readonly context: CommandContext;
  },
): void {
  const { goneFolder, command, context } = given;
  const { title, writer } = session.agent;
  const gone = `The session's folder ${safeLine(homely(goneFolder, context.env))} is gone.`;
  const ref = referenceTo(session);
  const copy = `Continue a copy in this folder with \`reprise resume ${ref} --cwd .\``;
  if (command.cwd === undefined || existsSync(command.cwd)) {
    context.out.note(
      `${gone} ${title} continues in the folder you are in. Another folder: --cwd <folder>.`,
    );
    return;
  }
  throw new RepriseError(
    "unsupported",
    `${gone} ${title} continues a session only in its folder.`,
    {
      hint:
        writer === undefined
          ? `Make the folder again, or hand the session over with \`reprise handoff ${ref}\`.`
          : `${copy}, or make the folder again.`,
      details: { folder: goneFolder },
    },
  );
}

/** The agent's own command; in the sample it needs the sample's home. */
function commandOf(session: FoundSession, context: CommandContext): ResumeCommand | undefined {
  const command = session.agent.resume?.(session.ref, session.head);
  if (command === undefined || !context.sample) return command;
  return { ...command, env: { HOME: context.env.home, ...command.env } };
}

function cannotContinue(session: FoundSession, context: CommandContext): RepriseError {
  const ref = referenceTo(session);
  const [other] = installedNames(session, context);
  return new RepriseError(
    "unsupported",
    `${session.agent.title} cannot continue a session by command.`,
    {
      hint:
        other === undefined
          ? `Read it with \`reprise show ${ref}\`, or hand it over with \`reprise handoff ${ref}\`.`
          : `Continue in another agent: \`reprise resume ${ref} --in ${other}\`.`,
    },
  );
}

function notInstalled(
  source: FoundSession,
  session: FoundSession,
  context: CommandContext,
): string {
  const others = installedNames(session, context);
  const missing = `${session.agent.title} is not installed on this machine.`;
  if (others.length === 0) return `${missing} Install it, then type the command above.`;
  return `${missing} Installed are: ${others.join(", ")}; continue in one of them with \`reprise resume ${referenceTo(source)} --in ${others[0]}\`.`;
}

function installedNames(session: FoundSession, context: CommandContext): readonly string[] {
  return context.agents
    .filter((agent) => agent !== session.agent && agent.writer !== undefined)
    .filter((agent) => isInstalled(agent, context.env))
    .map(({ name }) => name);
}
