import { RepriseError } from "../../../base/errors.ts";
import { deleteCheckpoints } from "../checkpoint/delete.ts";
import { importCheckpoint, listForeign } from "../checkpoint/foreign.ts";
import { findCheckpoints, listCheckpoints, showCheckpoint } from "../checkpoint/look.ts";
import { checkpointStatus, statusShape } from "../checkpoint/status.ts";
import { takeCheckpoint } from "../checkpoint/take.ts";
import { checkpointShape } from "../render/checkpoint-json.ts";
import type { Command, CommandContext, Invocation } from "../run/command.ts";
import { yesFlag } from "../run/plan.ts";

type Action = (invocation: Invocation, context: CommandContext) => Promise<void>;

const actions: ReadonlyMap<string, Action> = new Map<string, Action>([
  ["take", takeCheckpoint],
  [
    "list",
    (invocation, context) =>
      invocation.flags.isSet("foreign")
        ? listForeign(invocation, context)
        : listCheckpoints(invocation, context),
  ],
  ["show", showCheckpoint],
  ["status", checkpointStatus],
  ["find", findCheckpoints],
  ["import", importCheckpoint],
  ["delete", deleteCheckpoints],
]);

const [firstAction] = actions.keys();

/** `reprise checkpoint`: places one can come back to, files and conversation both. */
export const checkpoint: Command = {
  name: "checkpoint",
  summary: "take, list, show, find and delete checkpoints of this project",
  details: `A checkpoint records the files of the project and the place in the session at one moment. Without an action, one is
taken for the session the agent runs in, or the newest of this project. A labelled checkpoint is kept until you delete it.
Name a checkpoint by its number, its label, words of the label, or the id of a message. \`status\` lists what a checkpoint
would not contain and how much disk space all of them use. Claude Code, Gemini CLI and OpenCode keep checkpoints of their
own: \`list --foreign\` shows them, \`import\` copies one. See docs/checkpoints.md.`,
  args: [
    { name: "[action]", says: [...actions.keys()].join(", ") },
    {
      name: "[which...]",
      says: "show, delete: which checkpoint; find: words; import: session and name",
    },
  ],
  flags: [
    {
      flags: "-m, --message <label>",
      says: "take: label it, and keep it until it is deleted",
      kind: "text",
    },
    { flags: "--session <ref>", says: "take, list: use this session", kind: "text" },
    { flags: "--folder <path>", says: "use this folder instead of the current one", kind: "text" },
    { flags: "--text <words>", says: "find: words of the label or prompt", kind: "text" },
    { flags: "--all", says: "list, show, find: include every project", kind: "switch" },
    {
      flags: "--foreign",
      says: "list: show checkpoints that agents keep themselves",
      kind: "switch",
    },
    { flags: "--limit <count>", says: "list: maximum results (default 20)", kind: "count" },
    yesFlag,
  ],
  examples: [
    { line: 'reprise checkpoint -m "before the refactoring"', says: "take one and keep it" },
    { line: "reprise checkpoint status", says: "what one would not have, and the disk budget" },
    { line: "reprise checkpoint list", says: "checkpoints of this project" },
    { line: 'reprise checkpoint find --text "login form"', says: "by what was said" },
    { line: "reprise checkpoint delete 12 --yes", says: "delete one and free its space" },
  ],
  json: `take: Checkpoint; list: { checkpoints: Checkpoint[], total: number }; find: { checkpoints: (Checkpoint & { prompt?: string })[] }
show: Checkpoint & { prompt?: string, before?: number, changed: string[], skippedPaths: { path: string, reason: string }[],
  missedPaths: string[], onlyPaths?: string[] }
list --foreign: { foreign: { ref: string, agent: string, name: string, at?: string, uuid?: string, label?: string, files?: number }[] }
import: Checkpoint & { left: { path: string, why: string }[] }
delete: { numbers: number[], done: boolean, freedBytes?: number }
status: ${statusShape}
type ${checkpointShape}`,
  changes: ({ args }) => ["take", "import", "delete"].includes(args[0] ?? "take"),
  run: async (invocation, context) => {
    const [name = firstAction!] = invocation.args;
    const action = actions.get(name);
    if (action !== undefined) return action(invocation, context);
    throw new RepriseError("usage", `There is no action ${JSON.stringify(name)}.`, {
      hint: `Use one of: ${[...actions.keys()].join(", ")}. A label is given with -m.`,
    });
  },
};
