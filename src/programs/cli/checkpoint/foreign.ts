import { findSessions } from "../../../agents/find-sessions.ts";
import type { FoundSession } from "../../../agents/newest-sessions.ts";
import { referenceTo, resolveReference } from "../../../agents/reference.ts";
import { isRepriseError, RepriseError } from "../../../base/errors.ts";
import { limits } from "../../../base/limits.ts";
import { adoptCheckpoint, agentCheckpoints } from "../../../catalog/checkpoints/adopt.ts";
import { checkpointJson } from "../render/checkpoint-json.ts";
import { takenText } from "../render/checkpoint-text.ts";
import { relativeTime } from "../render/time.ts";
import type { CommandContext, Invocation } from "../run/command.ts";
import { homeOf } from "../sessions/native.ts";
import { printPaged } from "../terminal/pager.ts";
import { safeLine } from "../terminal/terminal-text.ts";
import { padded } from "../terminal/width.ts";

/** Lists the checkpoints that agents keep themselves, of one session or of the newest ones of this project. */
export async function listForeign(invocation: Invocation, context: CommandContext): Promise<void> {
  const found = [];
  for (const session of sessionsFor(invocation, context)) {
    try {
      for (const one of await agentCheckpoints(session))
        found.push({ ref: referenceTo(session), agent: session.agent.name, ...one });
    } catch (error) {
      if (!isRepriseError(error)) throw error;
      context.out.note(`${referenceTo(session)}: ${error.message}`);
    }
  }
  if (context.json) return context.out.writeJson({ foreign: found });
  if (found.length === 0) {
    return context.out.write("No agent keeps checkpoints of files for sessions of this project.\n");
  }
  const lines = found.map(({ ref, name, at, label = "", files }) => {
    const age = at === undefined ? "" : relativeTime(Date.parse(at), context.nowMs);
    const held = files === undefined ? "" : `${files} files`;
    return `${safeLine(ref)}  ${safeLine(name.slice(0, 12))}  ${padded(age, 10)}  ${safeLine(label)}${held}\n`;
  });
  const [first] = found;
  const hint = `Import one: reprise checkpoint import ${first!.ref} ${first!.name.slice(0, 12)}\n`;
  await printPaged([...lines, context.colours.dim(hint)], context);
}

/** Makes a checkpoint of ours of one that an agent keeps itself. */
export async function importCheckpoint(
  invocation: Invocation,
  context: CommandContext,
): Promise<void> {
  const [, ref = "", name = ""] = invocation.args;
  if (ref === "" || name === "") {
    throw new RepriseError("usage", "No session and checkpoint were named.", {
      hint: "Name both: `reprise checkpoint import claude-code:3f9a a2ef84de`; `reprise checkpoint list --foreign` shows them.",
    });
  }
  const { checkpoint, left } = await adoptCheckpoint(resolveReference(ref, context), name, {
    home: homeOf(context),
    userHome: context.env.home,
    label: invocation.flags.text("message"),
  });
  if (context.json) return context.out.writeJson({ ...checkpointJson(checkpoint), left });
  await context.out.write(takenText(checkpoint));
  for (const { path, why } of left) context.out.note(`${safeLine(path)} is left out: ${why}.`);
}

function sessionsFor({ flags }: Invocation, context: CommandContext): readonly FoundSession[] {
  const named = flags.text("session");
  if (named !== undefined) return [resolveReference(named, context)];
  return findSessions(context, { here: context.env.cwd, kind: "conversation" })
    .filter(({ agent }) => agent.checkpoints !== undefined)
    .slice(0, limits.listedCheckpoints);
}
