import { findSession, listSessions, type SessionList } from "../../../agents/library.ts";
import { isRepriseError, RepriseError } from "../../../base/errors.ts";
import type { MemoryEntry } from "../../../memory/entry.ts";
import { proposeFrom } from "../../../memory/propose/propose.ts";
import { count } from "../render/count.ts";
import type { CommandContext, Invocation } from "../run/command.ts";
import { entryLine } from "./text.ts";
import { memoryOf, sameMemories } from "./wanted.ts";

/** Sessions that are looked through unless some are named. */
const newest = 20;

/** Looks through sessions for what is worth remembering, and puts it into the inbox. */
export async function proposeMemories(
  invocation: Invocation,
  context: CommandContext,
): Promise<void> {
  const { env } = context;
  const refs = invocation.args.slice(1);
  const limit = invocation.flags.number("limit") ?? newest;
  const sinceMs = invocation.flags.number("since");
  const since = sinceMs === undefined ? {} : { sinceMs };
  const { sessions, total } =
    refs.length > 0
      ? await sessionsNamed(refs, context)
      : await listSessions({ env, here: env.cwd, limit, ...since });
  const memory = memoryOf(invocation, context);
  const added: MemoryEntry[] = [];
  let known = 0;
  for (const { ref } of sessions) {
    const proposed = await proposeFrom(memory, ref, { env });
    added.push(...proposed.added);
    known += proposed.known;
  }
  const looked = sessions.length;
  if (context.json)
    return context.out.writeJson({ sessions: looked, total, proposed: added, known });
  const next =
    added.length === 0 ? "" : `Decide with \`reprise memory inbox${sameMemories(invocation)}\`.\n`;
  if (looked === 0)
    context.out.note(
      "This project has no session to read; --project <words> means another, `reprise list` shows all.",
    );
  if (total > looked)
    context.out.note(`Only the newest ${looked} of ${total} sessions; --limit ${total} reads all.`);
  await context.out.write(
    `${count(looked, "session")} read; proposed ${added.length}, known already ${known}.\n${added.map((entry) => entryLine(entry)).join("")}${next}`,
  );
}

/** The sessions that references name; people also give the name of a project. */
async function sessionsNamed(
  refs: readonly string[],
  { env }: CommandContext,
): Promise<Pick<SessionList, "total"> & { readonly sessions: readonly Named[] }> {
  const named = async (ref: string): Promise<Named> => {
    try {
      return await findSession(ref, { env });
    } catch (error) {
      if (!isRepriseError(error) || error.code !== "not_found") throw error;
      const { message, details } = error;
      const hint = "`--project <words>` reads the sessions of a project; `reprise list` shows all.";
      throw new RepriseError("not_found", message, { hint, details });
    }
  };
  const sessions = await Promise.all(refs.map(named));
  return { sessions, total: sessions.length };
}

type Named = Awaited<ReturnType<typeof findSession>>;
