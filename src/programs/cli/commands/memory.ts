import { memoryNames, publishNames } from "../../../agents/registry.ts";
import { memoryTypes } from "../../../memory/entry.ts";
import { groupings } from "../../../memory/statistics.ts";
import { memoryActions } from "../memory/actions.ts";
import { inProject } from "../memory/project.ts";
import { type Action, actionNamed } from "../run/actions.ts";
import type { Command } from "../run/command.ts";
import { yesFlag } from "../run/plan.ts";

/** What people call an action that has another name here. */
const otherWords: ReadonlyMap<string, string> = new Map([
  ["find", "list <words>"],
  ["search", "list <words>"],
  ["show", "get"],
  ["add", "store"],
  ["remember", "store"],
  ["delete", "forget"],
  ["remove", "forget"],
]);

const writing = ["store", "update"];
const looking = ["list", "inbox", "stats", "export"];

/** `reprise memory`: what is known about a project and its user, with evidence. */
export const memory: Command = {
  name: "memory",
  summary: "store, find and forget facts about this project",
  details: `Memories belong to the project of this folder; --user means those of all projects. An imported or proposed memory
waits in the inbox until you approve it. \`forget\` removes every version permanently. \`sources\` lists the memories that
agents keep themselves; \`publish\` writes what you stored or approved into a block of their own pages. See docs/memory.md.`,
  args: [
    { name: "[action]", says: "one of the actions above" },
    { name: "[words...]", says: "the key, then the value; list and stats: words to look for" },
  ],
  actions: memoryActions,
  flags: [
    { flags: "--user", says: "use the memories of all projects", kind: "switch" },
    {
      flags: "--project <words>",
      says: "use the memories of the project whose name or path has this",
      kind: "text",
    },
    { flags: "--namespace <name>", says: "use the memories of another namespace", kind: "text" },
    { flags: "--owner <name>", says: "act as this owner", kind: "text" },
    {
      flags: "--type <type>",
      says: `type: ${memoryTypes.join(", ")}`,
      kind: "texts",
      of: [...writing, ...looking, "clean", "reset"],
    },
    {
      flags: "--tag <tag>",
      says: "tag; repeat for several",
      kind: "texts",
      of: [...writing, ...looking],
    },
    {
      flags: "--access <level>",
      says: "private, shared or public",
      kind: "text",
      of: [...writing, ...looking],
    },
    { flags: "--file <path>", says: "a file that supports it", kind: "texts", of: writing },
    {
      flags: "--evidence <ref>",
      says: "the session and event that support it",
      kind: "texts",
      of: writing,
    },
    {
      flags: "--commit <id>",
      says: "a commit that supports it, such as HEAD",
      kind: "texts",
      of: writing,
    },
    { flags: "--about <key>", says: "a memory it refers to", kind: "texts", of: writing },
    { flags: "--depends-on <key>", says: "a memory it depends on", kind: "texts", of: writing },
    { flags: "--meta <name=value>", says: "a field of your own", kind: "texts", of: writing },
    {
      flags: "--ttl-days <days>",
      says: "forget it after this many days; update: 0 keeps it",
      kind: "count",
      of: writing,
    },
    { flags: "--json-value", says: "the value is JSON", kind: "switch", of: writing },
    {
      flags: "--key <pattern>",
      says: "keys that match a regular expression",
      kind: "text",
      of: looking,
    },
    {
      flags: "--status <status>",
      says: "kept, proposed, rejected, archived or all",
      kind: "text",
      of: looking,
    },
    {
      flags: "--from <source>",
      says: "said by user, assistant, tool, or imported",
      kind: "text",
      of: looking,
    },
    { flags: "--stale", says: "evidence changed since", kind: "switch", of: looking },
    { flags: "--expired", says: "expired ones", kind: "switch", of: looking },
    {
      flags: "--where <field=value>",
      says: "a filter such as size=1kb.. or has=evidence; docs/memory.md has all",
      kind: "texts",
      of: looking,
    },
    {
      flags: "--all",
      says: "memories of all projects; for an agent the public ones",
      kind: "switch",
      of: looking,
    },
    {
      flags: "--sort <field>",
      says: "relevance, created, updated, accessed, key, size or version",
      kind: "text",
      of: looking,
    },
    { flags: "--order <order>", says: "ascending or descending", kind: "text", of: looking },
    {
      flags: "--since <time>",
      says: "changed since; propose: sessions since",
      kind: "time",
      of: [...looking, "propose"],
    },
    {
      flags: "-n, --limit <count>",
      says: "maximum results (default 100); propose: the newest sessions (default 20)",
      kind: "count",
      of: [...looking, "audit", "sources", "propose"],
    },
    {
      flags: "--offset <count>",
      says: "skip the first results",
      kind: "count",
      of: [...looking, "sources"],
    },
    {
      flags: "--by <field>",
      says: `group by ${groupings.join(", ")}`,
      kind: "text",
      of: ["stats"],
    },
    {
      flags: "--from-agents",
      says: "read agents' own memories instead of sessions",
      kind: "switch",
      of: ["propose"],
    },
    {
      flags: "--agent <name>",
      says: `only those of ${memoryNames.join(", ")}; propose: with --from-agents`,
      kind: "text",
      of: ["sources", "propose"],
    },
    {
      flags: "--to <place>",
      says: `${publishNames.join(", ")}; repeat for several`,
      kind: "texts",
      of: ["publish"],
    },
    {
      flags: "--remove",
      says: "remove what was published",
      kind: "switch",
      of: ["publish"],
    },
    {
      flags: "--duplicates",
      says: "forget entries with the same value",
      kind: "switch",
      of: ["clean"],
    },
    {
      flags: "--archive-days <days>",
      says: "archive what was not used for this many days",
      kind: "count",
      of: ["clean"],
    },
    { flags: "--compress", says: "rewrite the log, smaller", kind: "switch", of: ["clean"] },
    {
      flags: "--keep-versions <count>",
      says: "compress, keeping this many versions of each",
      kind: "count",
      of: ["clean"],
    },
    {
      flags: "--format <format>",
      says: "json, csv, xml or yaml",
      kind: "text",
      of: ["export", "import"],
    },
    {
      flags: "--exact",
      says: "the file is your own export; keep owners and approvals",
      kind: "switch",
      of: ["import"],
    },
    {
      flags: "--conflict <rule>",
      says: "skip, overwrite, merge or rename; restore: skip or overwrite",
      kind: "text",
      of: ["import", "restore"],
    },
    {
      flags: "-o, --output <file>",
      says: "write to a file",
      kind: "text",
      of: ["export", "backup"],
    },
    { flags: "--force", says: "overwrite the file", kind: "switch", of: ["export", "backup"] },
    { flags: "--dir <folder>", says: "write into this folder", kind: "text", of: ["backup"] },
    {
      flags: "--partial",
      says: "restore the intact part of a damaged backup",
      kind: "switch",
      of: ["restore"],
    },
    {
      flags: "--forgotten",
      says: "include what was forgotten since",
      kind: "switch",
      of: ["restore"],
    },
    { ...yesFlag, of: ["forget", "publish", "clean", "reset", "restore"] },
  ],
  examples: [
    {
      line: 'reprise memory store "test command" "npm test"',
      says: "remember it for this project",
    },
    { line: "reprise memory list test", says: "find what is known about tests" },
    {
      line: "reprise memory list --where created=7d.. --where has=evidence",
      says: "list by filters",
    },
    { line: 'reprise memory forget "test command" --yes', says: "forget every version of it" },
    { line: "reprise memory propose", says: "look for memories in this project's sessions" },
    { line: "reprise memory list --all", says: "list the memories of all projects" },
    { line: "reprise memory sources", says: "list agents' own memories of this project" },
    { line: "reprise memory propose --from-agents", says: "put them into the inbox" },
    {
      line: "reprise memory publish --to claude-code",
      says: "show what would be written into CLAUDE.md",
    },
    { line: "reprise memory inbox", says: "decide about proposals, on a screen" },
    { line: "reprise memory injection off", says: "give agents no memories unasked" },
    { line: "reprise memory backup", says: "keep all memories of all projects, with checksums" },
    { line: "reprise memory restore @last --yes", says: "bring the newest backup back" },
    { line: "reprise memory export -o memories.yaml", says: "write all of them to a file" },
  ],
  json: `store, get, update, approve, edit, reject, reopen, supersede: Entry
Entry = { id: string, key: string, value: unknown, type: string, namespace: string,
  tags: string[], metadata: object, owner: string, access: string, status: string, provenance: string, createdAt: string,
  updatedAt: string, accessedAt?: string, expiresAt?: string, version: number, sizeBytes: number, compressed: boolean,
  checksum: string, references: string[], dependencies: string[], evidence: object[], supersedes?: string }
list, inbox: { entries: Entry[], total: number }
history: { versions: object[] }
audit: { changes: object[] }
propose: { sessions?: number, total?: number, proposed: Entry[], known: number }
sources: { sources: { text: string, scope: "project" | "user", known?: string,
  origins: { agent: string, path: string, line?: number, heading?: string }[] }[], total: number }
publish: { changes: { agent: string, file: string, new: boolean, removed: boolean }[], remarks: string[], done: boolean,
  places: { to: string[], file: string, published: string[], leftOut: { id: string, key: string, why: "private" | "stale"
  | "superseded" | "secret" | "there" | "room" }[] }[], entries?: number[] }
injection: { memories: boolean, settings: string }
conflicts: { conflicts: { newer: Entry, older: Entry, why: "update" | "contradiction", isSettled: boolean }[] }
backup: { path: string, createdAt: string, namespaces: string[], entries: number, versions: number, sizeBytes: number,
  sha256: string, damaged: number }
backups: { backups: object[] }
restore: { path: string, createdAt?: string, namespaces: string[], restored: number, versions: number, kept: number,
  taken: number, forgotten: string[], forgets: string[], damage: { line?: number, why: string }[], done: boolean }
forget: { forgotten: string[], sessions: string[], withdrawn: string[], left: string[], done: true }
clean: { expired: string[], duplicates: string[], archive: string[], compress?: object, withdrawn: string[], left: string[],
  done: boolean }
reset: { forgotten: string[], withdrawn: string[], left: string[], done: true }
export: { path: string, format: string, sizeBytes: number }, with -o
stats: object
import: { added: number, skipped: number, … }`,
  withoutAgents: true,
  changes: ({ args }) => memoryActions.some(({ name, changes }) => changes && name === args[0]),
  run: async (invocation, context) =>
    actionMeant(invocation.args.length === 0 ? ["list"] : invocation.args).run(
      invocation,
      await inProject(invocation, context),
    ),
};

function actionMeant(words: readonly string[]): Action {
  const meant = otherWords.get(words[0]!);
  const hint = meant === undefined ? undefined : `Did you mean \`reprise memory ${meant}\`?`;
  return actionNamed(memoryActions, words, { hint });
}
