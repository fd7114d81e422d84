import { RepriseError } from "../../../base/errors.ts";
import { memoryTypes } from "../../../memory/entry.ts";
import { groupings } from "../../../memory/statistics.ts";
import {
  cleanMemory,
  decideMemory,
  forgetMemory,
  storeMemory,
  updateMemory,
} from "../memory/change.ts";
import { editMemory, memoryConflicts, proposeMemories, supersedeMemory } from "../memory/inbox.ts";
import { memoryInjection } from "../memory/injection.ts";
import {
  getMemory,
  listMemories,
  memoryAudit,
  memoryHistory,
  memoryStatistics,
} from "../memory/look.ts";
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
  ["inbox", (invocation, context) => listMemories(invocation, context, true)],
  ["approve", (invocation, context) => decideMemory(invocation, context, "kept")],
  ["reject", (invocation, context) => decideMemory(invocation, context, "rejected")],
  ["propose", proposeMemories],
  ["edit", editMemory],
  ["conflicts", memoryConflicts],
  ["supersede", supersedeMemory],
  ["injection", memoryInjection],
  ["history", memoryHistory],
  ["audit", memoryAudit],
  ["stats", memoryStatistics],
  ["clean", cleanMemory],
  ["export", exportMemories],
  ["import", importMemories],
]);

const changing = new Set(
  "store update forget approve reject propose edit supersede clean import".split(" "),
);

/** `reprise memory`: what is known about a project and its user, with evidence. */
export const memory: Command = {
  name: "memory",
  summary: "store, find and forget facts about this project",
  details: `Memories belong to the project of this folder; --user means those of all projects. An imported or proposed memory
waits in the inbox until you approve it. \`forget\` removes every version permanently. See docs/memory.md.`,
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
    { flags: "--ttl-days <days>", says: "store: forget it after this many days", kind: "count" },
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
    { flags: "--all", says: "list: public memories of other namespaces too", kind: "switch" },
    {
      flags: "--sort <field>",
      says: "relevance, created, updated, accessed, key, size or version",
      kind: "text",
    },
    { flags: "--limit <count>", says: "maximum results (default 100)", kind: "count" },
    { flags: "--offset <count>", says: "skip the first results", kind: "count" },
    { flags: "--by <field>", says: `stats: ${groupings.join(", ")}`, kind: "text" },
    { flags: "--duplicates", says: "clean: forget entries with the same value", kind: "switch" },
    {
      flags: "--archive-days <days>",
      says: "clean: archive what was not used for this many days",
      kind: "count",
    },
    { flags: "--format <format>", says: "json, csv, xml or yaml", kind: "text" },
    { flags: "-o, --output <file>", says: "export: write to a file", kind: "text" },
    { flags: "--force", says: "export: overwrite the file", kind: "switch" },
    { flags: "--conflict <rule>", says: "import: skip, overwrite, merge or rename", kind: "text" },
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
    { line: 'reprise memory forget "test command" --yes', says: "forget every version of it" },
    { line: "reprise memory propose", says: "look for memories in this project's sessions" },
    { line: "reprise memory injection off", says: "give agents no memories unasked" },
    { line: "reprise memory export -o memories.yaml", says: "write all of them to a file" },
  ],
  json: `store, get, update, approve, reject: Entry = { id: string, key: string, value: unknown, type: string, namespace: string,
  tags: string[], metadata: object, owner: string, access: string, status: string, provenance: string, createdAt: string,
  updatedAt: string, accessedAt?: string, expiresAt?: string, version: number, sizeBytes: number, compressed: boolean,
  checksum: string, references: string[], dependencies: string[], evidence: object[], supersedes?: string }
list, inbox: { entries: Entry[], total: number }; history: { versions: object[] }; audit: { changes: object[] }
propose: { sessions: number, proposed: Entry[], known: number }; injection: { memories: boolean, settings: string }
conflicts: { conflicts: { newer: Entry, older: Entry, why: "update" | "contradiction", isSettled: boolean }[] }
forget: { forgotten: string[], sessions: string[], done: true }; stats: object; import: { added: number, skipped: number, … }`,
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
