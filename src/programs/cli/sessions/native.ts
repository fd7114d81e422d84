import type { FoundSession } from "../../../agents/find-sessions.ts";
import { type NamedSession, referenceTo } from "../../../agents/reference.ts";
import { RepriseError } from "../../../base/errors.ts";
import type { EventId } from "../../../model/event.ts";
import { type Home, userHome } from "../../../store/home.ts";
import { ownAgent } from "../../../store/own-agent.ts";
import { SessionManager } from "../../../store/session-manager.ts";
import type { CommandContext } from "../run/command.ts";

/** Whether a session lies in our own store. */
export function isNative(session: FoundSession): boolean {
  return session.agent.name === ownAgent;
}

/** Opens a session of our own store; another agent's is `unsupported`. */
export function openNative(
  session: FoundSession,
  context: CommandContext,
  options: { readonly waitMs?: number | undefined } = {},
): SessionManager {
  if (!isNative(session)) {
    throw new RepriseError("unsupported", `This is a session of ${session.agent.title}.`, {
      hint: `Import it first: \`reprise import ${referenceTo(session)}\`.`,
    });
  }
  return SessionManager.open(session.ref.path, {
    ...managerOptions(context),
    ...(options.waitMs !== undefined && { waitMs: options.waitMs }),
  });
}

/** How a short-lived process opens a session: the lease is held for each append alone. */
export function managerOptions(context: CommandContext): {
  readonly env: CommandContext["env"];
  readonly leasePerAppend: true;
} {
  return { env: context.env, leasePerAppend: true };
}

/** The user's own store. */
export function homeOf(context: CommandContext): Home {
  return userHome(context.env);
}

/** The event a reference names, as a number of our log; undefined if it names none. */
export function eventIdOf(session: NamedSession): EventId | undefined {
  if (session.event === undefined) return undefined;
  if (/^\d{1,15}$/.test(session.event)) return Number(session.event);
  throw new RepriseError("usage", `${session.event} is not the number of an event.`);
}
