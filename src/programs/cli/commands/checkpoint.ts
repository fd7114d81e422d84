import { deleteCheckpoints } from "../checkpoint/delete.ts";
import { importCheckpoint, listForeign } from "../checkpoint/foreign.ts";
import { findCheckpoints, listCheckpoints, showCheckpoint } from "../checkpoint/look.ts";
import { checkpointStatus, statusShape } from "../checkpoint/status.ts";
import { takeCheckpoint } from "../checkpoint/take.ts";
import { checkpointShape } from "../render/checkpoint-json.ts";
import { type Action, actionNamed, commandHint } from "../run/actions.ts";
import type { Command } from "../run/command.ts";
import { yesFlag } from "../run/plan.ts";

const actions: readonly Action[] = [
  { name: "take", says: "take a checkpoint (the default)", changes: true, run: takeCheckpoint },
  {
    name: "list",
    says: "list checkpoints",
    run: (invocation, context) =>
      invocation.flags.isSet("foreign")
        ? listForeign(invocation, context)
        : listCheckpoints(invocation, context),
  },
  {
    name: "show",
    takes: "<checkpoint>",
    says: "show what one contains and changed",
    run: showCheckpoint,
  },
  {
    name: "status",
    says: "report what one would not contain, and the disk space of all",
    run: checkpointStatus,
  },
  {
    name: "find",
    takes: "[words...]",
    says: "find one by words of its label or prompt",
    run: findCheckpoints,
  },
  {
    name: "import",
    takes: "<session> <name>",
    says: "copy a checkpoint that an agent keeps itself",
    changes: true,
    run: importCheckpoint,
  },
  {
    name: "delete",
    takes: "<checkpoint...>",
    says: "delete checkpoints and free their space",
    changes: true,
    run: deleteCheckpoints,
  },
];

/** `reprise checkpoint`: places one can come back to, files and conversation both. */
export const checkpoint: Command = {
  name: "checkpoint",
  summary: "take, list, show, find and delete checkpoints of this project",
  details: `A checkpoint records the files of the project and the place in the session at one moment. Without an action, one is
taken for the session the agent runs in, or the newest of this project. A labelled checkpoint is kept until you delete it.
Name a checkpoint by its number, its label, words of the label, or the id of a message. Its number is that of its entry in the
journal, which counts every change that Reprise makes: the first checkpoint may be 2, and numbers are left out. \`status\` lists what a checkpoint
would not contain and how much disk space all of them use. Claude Code, Gemini CLI and OpenCode keep checkpoints of their
own: \`list --foreign\` shows them, \`import\` copies one. See docs/checkpoints.md.`,
  args: [
    { name: "[action]", says: "one of the actions above" },
    {
      name: "[which...]",
      says: "show, delete: which checkpoint; find: words; import: session and name",
    },
  ],
  actions,
  flags: [
    { flags: "--folder <path>", says: "use this folder instead of the current one", kind: "text" },
    {
      flags: "-m, --message <label>",
      says: "label it, and keep it until it is deleted",
      kind: "text",
      of: ["take"],
    },
    { flags: "--session <ref>", says: "use this session", kind: "text", of: ["take", "list"] },
    { flags: "--text <words>", says: "words of the label or prompt", kind: "text", of: ["find"] },
    { flags: "--all", says: "include every project", kind: "switch", of: ["list", "show", "find"] },
    {
      flags: "--foreign",
      says: "show checkpoints that agents keep themselves",
      kind: "switch",
      of: ["list"],
    },
    {
      flags: "-n, --limit <count>",
      says: "maximum results (default 20)",
      kind: "count",
      of: ["list"],
    },
    { ...yesFlag, of: ["delete"] },
  ],
  examples: [
    { line: 'reprise checkpoint -m "before the refactoring"', says: "take one and keep it" },
    { line: "reprise checkpoint status", says: "what one would not have, and the disk budget" },
    { line: "reprise checkpoint list", says: "checkpoints of this project" },
    { line: 'reprise checkpoint find --text "login form"', says: "by what was said" },
    { line: "reprise checkpoint delete 12 --yes", says: "delete one and free its space" },
  ],
  json: `take: Checkpoint
list: { checkpoints: Checkpoint[], total: number }
find: { checkpoints: (Checkpoint & { prompt?: string })[] }
show: Checkpoint & { prompt?: string, before?: number, changed: string[], skippedPaths: { path: string, reason: string }[],
  missedPaths: string[], onlyPaths?: string[] }
list --foreign: { foreign: { ref: string, agent: string, name: string, at?: string, uuid?: string, label?: string, files?: number }[] }
import: Checkpoint & { left: { path: string, why: string }[] }
delete: { numbers: number[], done: boolean, freedBytes?: number }
status: ${statusShape}
type ${checkpointShape}`,
  changes: ({ args }) => actionOf(args).changes === true,
  run: async (invocation, context) => actionOf(invocation.args).run(invocation, context),
};

function actionOf(words: readonly string[]): Action {
  const hint = commandHint(words) ?? "A label is given with -m.";
  return actionNamed(actions, words.length === 0 ? ["take"] : words, { hint });
}
