import { findSessions } from "../../../agents/find-sessions.ts";
import type { FoundSession } from "../../../agents/newest-sessions.ts";
import { resolveReference } from "../../../agents/reference.ts";
import { familyOf } from "../../../catalog/family/family.ts";
import { familyTree } from "../../../catalog/family/family-tree.ts";
import type { Mark } from "../../../catalog/family/outline.ts";
import { allCheckpoints } from "../../../snapshot/checkpoint.ts";
import { isIncomplete } from "../../../snapshot/snapshot.ts";
import { treeJson, treeShape } from "../render/tree-json.ts";
import { treeText } from "../render/tree-text.ts";
import type { Command, CommandContext } from "../run/command.ts";
import { homeOf } from "../sessions/native.ts";
import { printPaged } from "../terminal/pager.ts";
import { progress } from "../terminal/progress.ts";

/** `reprise tree`: a session, everything that branches off in it, and the sessions it is related to. */
export const tree: Command = {
  name: "tree",
  summary: "show forks, rewinds, compactions and relatives of a session",
  details: `Begins at the session all others come from, whichever agent wrote it, and shows each one at the event where it
branched off: forks, copies, subagents, conversions into another agent, and within each session abandoned branches, rewinds,
compactions and checkpoints. @57 after a reference names the event.`,
  args: [{ name: "<ref...>", says: "the session" }],
  flags: [{ flags: "--prompts", says: "also show every prompt", kind: "switch" }],
  examples: [
    { line: "reprise tree @last", says: "the newest session of this project and its relatives" },
    { line: "reprise tree 3f9a --prompts", says: "with every prompt between the branches" },
    {
      line: "reprise tree 3f9a --json | jq '.sessions[].ref'",
      says: "the references of the whole family",
    },
  ],
  json: treeShape,
  run: async (invocation, context) => {
    const session = resolveReference(invocation.args.join(" "), context);
    const all = findSessions(context, { subagents: true });
    const told = progress(context, { verb: "Reading", toFile: true });
    try {
      const family = await familyOf(session, { all, home: homeOf(context) });
      const otherMarks = checkpointMarks(context);
      const root = await familyTree(family, { otherMarks, onEvents: told.add });
      told.end();
      const shown = { root, more: family.more, prompts: invocation.flags.isSet("prompts") };
      if (context.json) return await context.out.writeJson(treeJson(session, shown));
      const text = treeText(session, {
        ...shown,
        ...context,
        ids: all.map(({ head }) => head.session),
      });
      await printPaged([text], context);
    } finally {
      told.end();
    }
  },
};

/** Checkpoints of files that were taken in a session, at the events they belong to. */
function checkpointMarks(context: CommandContext): (session: FoundSession) => readonly Mark[] {
  const all = allCheckpoints(homeOf(context));
  return ({ head }) =>
    all
      .filter(({ agent, session }) => agent === head.agent && session === head.session)
      .map((one): Mark => {
        return {
          kind: "checkpoint",
          event: one.event ?? "",
          at: one.at,
          checkpoint: one.number,
          ...(one.label !== undefined && { text: one.label }),
          ...(isIncomplete(one) && { incomplete: true }),
        };
      });
}
