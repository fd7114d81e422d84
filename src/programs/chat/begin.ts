import { resolve } from "node:path";
import { resolveReference } from "../../agents/reference.ts";
import { everyAgent } from "../../agents/user-agents.ts";
import { RepriseError } from "../../base/errors.ts";
import { convertSession } from "../../convert/library.ts";
import { ownAgent } from "../../store/own-agent.ts";
import { SessionManager } from "../../store/session-manager.ts";
import type { CommandContext } from "../cli/run/command.ts";
import { isNative } from "../cli/sessions/native.ts";

/** Which session a chat is in at first. */
export interface ChatStart {
  readonly continues: boolean;
  readonly resume: string | undefined;
  /** Where sessions lie, in place of the user's store. */
  readonly dir: string | undefined;
  /** The model as it was named on the command line: it is needed again to continue. */
  readonly modelName?: string | undefined;
}

/** The session a chat continues; undefined if it begins one. */
export async function sessionToContinue(
  { continues, resume, dir }: ChatStart,
  context: CommandContext,
): Promise<SessionManager | undefined> {
  const { env } = context;
  const folder = folderOf(dir, context);
  if (resume !== undefined) return resumed(resume, folder, context);
  if (!continues) return undefined;
  const heads = await SessionManager.list(env.cwd, folder, { env });
  // Who continues where nothing is begins, and nothing is written until they say something.
  return heads.length === 0 ? undefined : SessionManager.continueRecent(env.cwd, folder, { env });
}

/** Makes the session of a chat that begins. */
export function newSession(
  { dir }: Pick<ChatStart, "dir">,
  model: string,
  context: CommandContext,
  from?: { readonly session: string; readonly event: number },
): SessionManager {
  const { env } = context;
  return SessionManager.create(env.cwd, folderOf(dir, context), { env, model, continues: from });
}

async function resumed(
  reference: string,
  folder: string | undefined,
  context: CommandContext,
): Promise<SessionManager> {
  const { env, out } = context;
  if (folder !== undefined) return SessionManager.open(reference, { env, dir: folder });
  const agents = await everyAgent(out.note);
  const found = resolveReference(reference, { ...context, agents });
  if (isNative(found) && found.event === undefined) {
    return SessionManager.open(found.ref.path, { env });
  }
  const { session, messages, losses } = await convertSession(found, { env, to: ownAgent });
  const fields = losses.map(({ field }) => field).join(", ");
  const lost = losses.length === 0 ? "" : `; not carried over as they were: ${fields}`;
  out.note(`Brought over as ${ownAgent}:${session.ref.session}: ${messages} messages${lost}.`);
  return SessionManager.open(session.ref.path, { env });
}

function folderOf(dir: string | undefined, context: CommandContext): string | undefined {
  if (dir === "") throw new RepriseError("usage", "--session-dir needs a folder.");
  return dir === undefined ? undefined : resolve(context.folder, dir);
}
