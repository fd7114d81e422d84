import { memoryNames, publishNames } from "../../../agents/registry.ts";
import { RepriseError } from "../../../base/errors.ts";
import { memoryTypes } from "../../../memory/entry.ts";
import { groupings } from "../../../memory/statistics.ts";
import { backUpMemories, listBackups, restoreBackup } from "../memory/backup.ts";
import {
  decideMemory,
  editMemory,
  forgetMemory,
  reopenMemory,
  storeMemory,
  updateMemory,
} from "../memory/change.ts";
import { cleanMemory, resetMemory } from "../memory/clean.ts";
import { memoryConflicts, supersedeMemory } from "../memory/conflicts.ts";
import { memoryInjection } from "../memory/injection.ts";
import {
  getMemory,
  listMemories,
  memoryAudit,
  memoryHistory,
  memoryStatistics,
} from "../memory/look.ts";
import { proposeMemories } from "../memory/propose.ts";
import { publishMemories } from "../memory/publish.ts";
import { listSources, proposeFromAgents } from "../memory/sources.ts";
import { exportMemories, importMemories } from "../memory/transfer.ts";
import type { Command, CommandContext, Invocation } from "../run/command.ts";
import { yesFlag } from "../run/plan.ts";

type Action = (invocation: Invocation, context: CommandContext) => Promise<void>;

const actions: ReadonlyMap<string, Action> = new Map<string, Action>([
  ["store", storeMemory],
  ["get", getMemory],
  ["list", (invocation, context) => listMemories(invocation, context)],
  ["update", updateMemory],
  ["forget", forgetMemory],
  [
    "inbox",
    async (invocation, context) =>
      (await import("../memory/inbox/open.ts")).openInbox(invocation, context),
  ],
  ["approve", (invocation, context) => decideMemory(invocation, context, "kept")],
  ["reject", (invocation, context) => decideMemory(invocation, context, "rejected")],
  [
    "propose",
    (invocation, context) =>
      invocation.flags.isSet("fromAgents")
        ? proposeFromAgents(invocation, context)
        : proposeMemories(invocation, context),
  ],
  ["sources", listSources],
  ["publish", publishMemories],
  ["reopen", reopenMemory],
  ["edit", editMemory],
  ["conflicts", memoryConflicts],
  ["supersede", supersedeMemory],
  ["injection", memoryInjection],
  ["history", memoryHistory],
  ["audit", memoryAudit],
  ["stats", memoryStatistics],
  ["clean", cleanMemory],
  ["reset", resetMemory],
  ["export", exportMemories],
  ["import", importMemories],
  ["backup", backUpMemories],
  ["backups", listBackups],
  ["restore", restoreBackup],
]);

const changing = new Set(
  "store update forget approve reject reopen propose publish edit supersede clean reset import restore".split(
    " ",
  ),
);

/** `reprise memory`: what is known about a project and its user, with evidence. */
export const memory: Command = {
  name: "memory",
  summary: "store, find and forget facts about this project",
  details: `Memories belong to the project of this folder; --user means those of all projects. An imported or proposed memory
waits in the inbox until you approve it. \`forget\` removes every version permanently. \`sources\` lists the memories that
agents keep themselves; \`publish\` writes what you stored or approved into a block of their own pages. See docs/memory.md.`,
  args: [
    { name: "[action]", says: [...actions.keys()].join(", ") },
    { name: "[words...]", says: "the key, then the value; list and stats: words to look for" },
  ],
  flags: [
    { flags: "--user", says: "use the memories of all projects", kind: "switch" },
    { flags: "--namespace <name>", says: "use the memories of another namespace", kind: "text" },
    { flags: "--owner <name>", says: "act as this owner", kind: "text" },
    { flags: "--type <type>", says: `type: ${memoryTypes.join(", ")}`, kind: "texts" },
    { flags: "--tag <tag>", says: "tag; repeat for several", kind: "texts" },
    { flags: "--access <level>", says: "private, shared or public", kind: "text" },
    { flags: "--file <path>", says: "store: a file that supports it", kind: "texts" },
    {
      flags: "--evidence <ref>",
      says: "store: the session and event that support it",
      kind: "texts",
    },
    {
      flags: "--commit <id>",
      says: "store: a commit that supports it, such as HEAD",
      kind: "texts",
    },
    { flags: "--about <key>", says: "store: a memory it refers to", kind: "texts" },
    { flags: "--depends-on <key>", says: "store: a memory it depends on", kind: "texts" },
    { flags: "--meta <name=value>", says: "store: a field of your own", kind: "texts" },
    {
      flags: "--ttl-days <days>",
      says: "store: forget it after this many days; update: 0 keeps it",
      kind: "count",
    },
    { flags: "--json-value", says: "store, update: the value is JSON", kind: "switch" },
    { flags: "--key <pattern>", says: "list: keys that match a regular expression", kind: "text" },
    {
      flags: "--status <status>",
      says: "list: kept, proposed, rejected, archived or all",
      kind: "text",
    },
    {
      flags: "--from <source>",
      says: "list: said by user, assistant, tool, or imported",
      kind: "text",
    },
    { flags: "--since <time>", says: "list: changed since", kind: "time" },
    { flags: "--stale", says: "list: evidence changed since", kind: "switch" },
    { flags: "--expired", says: "list: expired ones", kind: "switch" },
    {
      flags: "--where <field=value>",
      says: "list, stats, export: a filter such as size=1kb.. or has=evidence; docs/memory.md has all",
      kind: "texts",
    },
    { flags: "--all", says: "list: public memories of other namespaces too", kind: "switch" },
    {
      flags: "--sort <field>",
      says: "relevance, created, updated, accessed, key, size or version",
      kind: "text",
    },
    { flags: "--order <order>", says: "ascending or descending", kind: "text" },
    { flags: "--limit <count>", says: "maximum results (default 100)", kind: "count" },
    { flags: "--offset <count>", says: "skip the first results", kind: "count" },
    { flags: "--by <field>", says: `stats: ${groupings.join(", ")}`, kind: "text" },
    { flags: "--duplicates", says: "clean: forget entries with the same value", kind: "switch" },
    {
      flags: "--archive-days <days>",
      says: "clean: archive what was not used for this many days",
      kind: "count",
    },
    {
      flags: "--from-agents",
      says: "propose: read agents' own memories instead of sessions",
      kind: "switch",
    },
    {
      flags: "--agent <name>",
      says: `sources, propose --from-agents: only of ${memoryNames.join(", ")}`,
      kind: "text",
    },
    {
      flags: "--to <place>",
      says: `publish: ${publishNames.join(", ")}; repeat for several`,
      kind: "texts",
    },
    { flags: "--remove", says: "publish: remove what was published", kind: "switch" },
    { flags: "--compress", says: "clean: rewrite the log, smaller", kind: "switch" },
    {
      flags: "--keep-versions <count>",
      says: "clean: compress, keeping this many versions of each",
      kind: "count",
    },
    { flags: "--format <format>", says: "json, csv, xml or yaml", kind: "text" },
    { flags: "-o, --output <file>", says: "export, backup: write to a file", kind: "text" },
    { flags: "--dir <folder>", says: "backup: write into this folder", kind: "text" },
    { flags: "--force", says: "export, backup: overwrite the file", kind: "switch" },
    {
      flags: "--conflict <rule>",
      says: "import: skip, overwrite, merge or rename; restore: skip or overwrite",
      kind: "text",
    },
    {
      flags: "--partial",
      says: "restore: restore the intact part of a damaged backup",
      kind: "switch",
    },
    { flags: "--forgotten", says: "restore: include what was forgotten since", kind: "switch" },
    {
      flags: "--exact",
      says: "import: the file is your own export; keep owners and approvals",
      kind: "switch",
    },
    yesFlag,
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
  json: `store, get, update, approve, edit, reject, reopen: Entry = { id: string, key: string, value: unknown, type: string, namespace: string,
  tags: string[], metadata: object, owner: string, access: string, status: string, provenance: string, createdAt: string,
  updatedAt: string, accessedAt?: string, expiresAt?: string, version: number, sizeBytes: number, compressed: boolean,
  checksum: string, references: string[], dependencies: string[], evidence: object[], supersedes?: string }
list, inbox: { entries: Entry[], total: number }; history: { versions: object[] }; audit: { changes: object[] }
propose: { sessions?: number, proposed: Entry[], known: number }
sources: { sources: { text: string, scope: "project" | "user", known?: string,
  origins: { agent: string, path: string, line?: number, heading?: string }[] }[], total: number }
publish: { changes: { agent: string, file: string, new: boolean, removed: boolean }[], remarks: string[], done: boolean,
  places: { to: string[], file: string, published: string[], leftOut: { id: string, key: string, why: "private" | "stale"
  | "superseded" | "secret" | "there" | "room" }[] }[], entries?: number[] }
injection: { memories: boolean, settings: string }
conflicts: { conflicts: { newer: Entry, older: Entry, why: "update" | "contradiction", isSettled: boolean }[] }
backup: { path: string, createdAt: string, namespaces: string[], entries: number, versions: number, sizeBytes: number,
  sha256: string, damaged: number }; backups: { backups: object[] }
restore: { path: string, createdAt?: string, namespaces: string[], restored: number, versions: number, kept: number,
  taken: number, forgotten: string[], forgets: string[], damage: { line?: number, why: string }[], done: boolean }
forget: { forgotten: string[], sessions: string[], withdrawn: string[], done: true }; stats: object; import: { added: number, skipped: number, … }`,
  withoutAgents: true,
  changes: ({ args }) => changing.has(args[0] ?? "list"),
  run: async (invocation, context) => {
    const [name = "list"] = invocation.args;
    const action = actions.get(name);
    if (action !== undefined) return action(invocation, context);
    throw new RepriseError("usage", `There is no action ${JSON.stringify(name)}.`, {
      hint: `Use one of: ${[...actions.keys()].join(", ")}.`,
    });
  },
};
