import { RepriseError } from "../../../base/errors.ts";
import { noteKinds } from "../../../bridge/ledger/note.ts";
import { noteEdit } from "../lifecycle/edit.ts";
import { endSession } from "../lifecycle/end.ts";
import { noteOnSession } from "../lifecycle/note.ts";
import { restoreSession } from "../lifecycle/restore.ts";
import type { Command } from "../run/command.ts";

const kinds = noteKinds.filter((kind) => kind !== "end");

/** `reprise session`: what hooks do by themselves, for scripts and for agents without hooks. */
export const session: Command = {
  name: "session",
  summary: "restore, note, edit or end: for scripts and agents without hooks",
  details: `\`restore\` prints the context to continue with: ledger, hand-over and what other agents left. With --files it
also puts the files of a checkpoint back, as \`rewind --files\` does: the plan first, with --yes the deed, which
\`reprise undo\` takes back. \`note\` writes into the session's ledger. \`edit\` remembers a file with its hash under a key. \`end\` closes it
with a summary and leaves a hand-off; --metrics keeps numbers of yours with it, --export-metrics writes what the session
took into a file. Without a session's name the one is meant that the agent says it runs in, else the newest of this project. What is noted of a
sealed session lies in the session alone.`,
  args: [
    { name: "<action>", says: "restore, note, edit or end" },
    {
      name: "[words...]",
      says: "restore: the session; note: what to note; edit: the file, then a note",
    },
  ],
  flags: [
    { flags: "--session <ref>", says: "the session a note or an end is for", kind: "text" },
    { flags: "--budget <tokens>", says: "restore: how long it may be (4000)", kind: "count" },
    {
      flags: "--kind <kind>",
      says: `note: ${kinds.join(", ")}; a decision is pinned`,
      kind: "text",
      choices: kinds,
    },
    {
      flags: "--from <agent>",
      says: "note: who leaves it, where several agents work",
      kind: "text",
    },
    { flags: "--to <agent>", says: "note: a hand-over to this agent", kind: "text" },
    {
      flags: "--memory",
      says: "restore: also what you stored or approved about this project",
      kind: "switch",
    },
    {
      flags: "--files <checkpoint>",
      says: "restore: put the files of this checkpoint back (number, label or ref@57)",
      kind: "text",
    },
    { flags: "--memory-key <key>", says: "edit: the key it is remembered under", kind: "text" },
    {
      flags: "--save-memory",
      says: "end: remember the summary, or the built-in one",
      kind: "switch",
    },
    {
      flags: "--summary [text]",
      says: "end: what came of it; without a text the built-in summary",
      kind: "text",
    },
    {
      flags: "--metrics <file>",
      says: "end: read a JSON object of your own numbers, keep it with the session",
      kind: "text",
    },
    {
      flags: "--export-metrics <file>",
      says: "end: write what the session took (time, turns, tokens, cost, tools, files, errors)",
      kind: "text",
    },
    {
      flags: "--yes",
      says: "restore: put files back, not only the plan; end: overwrite the file of metrics",
      kind: "switch",
    },
  ],
  examples: [
    { line: "reprise session restore @last", says: "what to load into a new session" },
    { line: 'reprise session note --kind decision "Redis stays"', says: "pinned in the ledger" },
    { line: 'reprise session note --from dev --to qa "Look at the retries"', says: "a hand-over" },
    {
      line: "reprise session edit src/a.ts --memory-key parser",
      says: "file and hash, under a key",
    },
    { line: "reprise session restore @last --memory --files 12 --yes", says: "context and files" },
    { line: 'reprise session end --summary "Port moved"', says: "close it, leave a hand-off" },
    {
      line: "reprise session end --summary --export-metrics run.json --save-memory",
      says: "built-in summary, remembered; numbers in a file",
    },
  ],
  json: `restore: { ref: string, text: string, tokens: number, parts: string[],
  masked: { rule: string, count: number }[], files?: as \`rewind\` has it, done?: true }
note: { ref: string, kind: string, text: string, ledger?: string }
end: { ref: string, ledger?: string, handoff?: string, memory?: string, metrics?: object,
  exportedMetrics?: string }
edit: { id: string, key: string, file: string, sha256: string, note: string }`,
  changes: ({ flags }) => flags.isSet("yes"),
  run: async (invocation, context) => {
    const [action = "", ...words] = invocation.args;
    switch (action) {
      case "restore":
        return restoreSession(words.join(" "), invocation, context);
      case "note":
        return noteOnSession(words.join(" "), invocation, context);
      case "edit":
        return noteEdit(words, invocation, context);
      case "end":
        return endSession(invocation, context);
      default:
        throw new RepriseError("usage", `Not an action: ${JSON.stringify(action)}.`, {
          hint: "Say restore, note, edit or end; see `reprise session --help`.",
        });
    }
  },
};
