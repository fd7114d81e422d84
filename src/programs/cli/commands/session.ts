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
  summary: "restore, annotate or end a session from a script",
  details: `\`restore\` prints the context to continue with: ledger, hand-off and notes of other agents. With --files it also
restores the files of a checkpoint, as \`rewind --files\` does: it shows the plan and needs --yes; \`reprise undo\` takes it
back. \`note\` adds to the session's ledger. \`edit\` stores a file's hash under a key. \`end\` closes the session with a summary
and writes a hand-off; --metrics keeps your own numbers with it, --export-metrics writes a report of the session to a file.
Without a session, the one the agent runs in is used, else the newest of this project. Notes of a sealed session are stored
only in the session.`,
  args: [
    { name: "<action>", says: "one of the actions above" },
    {
      name: "[words...]",
      says: "restore: the session; note: what to note; edit: the file, then a note",
    },
  ],
  actions: [
    {
      name: "restore",
      takes: "[session]",
      says: "print the context to continue with; restore files",
    },
    { name: "note", takes: "<text...>", says: "add a note to the session's ledger" },
    { name: "edit", takes: "<file> [note...]", says: "store a file's hash under a key" },
    { name: "end", says: "close the session with a summary and a hand-off" },
  ],
  flags: [
    { flags: "--session <ref>", says: "the session to annotate or end", kind: "text" },
    {
      flags: "--budget <tokens>",
      says: "limit its length (default 4000)",
      kind: "count",
      of: ["restore"],
    },
    {
      flags: "--kind <kind>",
      says: `${kinds.join(", ")}; a decision is pinned`,
      kind: "text",
      choices: kinds,
      of: ["note"],
    },
    {
      flags: "--from <agent>",
      says: "the agent that leaves it",
      kind: "text",
      of: ["note"],
    },
    { flags: "--to <agent>", says: "hand over to this agent", kind: "text", of: ["note"] },
    {
      flags: "--memory",
      says: "include memories of this project",
      kind: "switch",
      of: ["restore"],
    },
    {
      flags: "--files <checkpoint>",
      says: "restore the files of this checkpoint (number, label or ref@57)",
      kind: "text",
      of: ["restore"],
    },
    { flags: "--memory-key <key>", says: "the key to remember it by", kind: "text", of: ["edit"] },
    {
      flags: "--save-memory",
      says: "store the summary as a memory",
      kind: "switch",
      of: ["end"],
    },
    {
      flags: "--summary [text]",
      says: "a summary of the outcome; without a text the built-in one",
      kind: "text",
      of: ["end"],
    },
    {
      flags: "--metrics <file>",
      says: "read your own numbers from a JSON object, and keep them with it",
      kind: "text",
      of: ["end"],
    },
    {
      flags: "--export-metrics <file>",
      says: "write time, turns, tokens, cost, tools, files and errors to this file",
      kind: "text",
      of: ["end"],
    },
    {
      flags: "--yes",
      says: "restore: restore the files; end: overwrite the file of metrics",
      kind: "switch",
      of: ["restore", "end"],
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
