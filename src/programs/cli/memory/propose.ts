import { findSession, listSessions } from "../../../agents/library.ts";
import type { MemoryEntry } from "../../../memory/entry.ts";
import { proposeFrom } from "../../../memory/propose/propose.ts";
import { count } from "../render/count.ts";
import type { CommandContext, Invocation } from "../run/command.ts";
import { entryLine } from "./text.ts";
import { memoryOf } from "./wanted.ts";

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
  const sessions =
    refs.length > 0
      ? await Promise.all(refs.map((ref) => findSession(ref, { env })))
      : (
          await listSessions({
            env,
            here: env.cwd,
            limit,
            ...(sinceMs !== undefined && { sinceMs }),
          })
        ).sessions;
  const memory = memoryOf(invocation, context);
  const added: MemoryEntry[] = [];
  let known = 0;
  for (const { ref } of sessions) {
    const proposed = await proposeFrom(memory, ref, { env });
    added.push(...proposed.added);
    known += proposed.known;
  }
  const looked = sessions.length;
  if (context.json) return context.out.writeJson({ sessions: looked, proposed: added, known });
  const next = added.length === 0 ? "" : "Decide with `reprise memory inbox`.\n";
  if (looked === 0)
    context.out.note("This project has no session to read; `reprise list` shows which have.");
  await context.out.write(
    `${count(looked, "session")} read; proposed ${added.length}, known already ${known}.\n${added.map(entryLine).join("")}${next}`,
  );
}
