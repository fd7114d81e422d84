import type { Action } from "../run/actions.ts";
import { backUpMemories, listBackups, restoreBackup } from "./backup.ts";
import {
  decideMemory,
  editMemory,
  forgetMemory,
  reopenMemory,
  storeMemory,
  updateMemory,
} from "./change.ts";
import { cleanMemory, resetMemory } from "./clean.ts";
import { memoryConflicts, supersedeMemory } from "./conflicts.ts";
import { memoryInjection } from "./injection.ts";
import { getMemory, listMemories, memoryAudit, memoryHistory, memoryStatistics } from "./look.ts";
import { proposeMemories } from "./propose.ts";
import { publishMemories } from "./publish.ts";
import { listSources, proposeFromAgents } from "./sources.ts";
import { exportMemories, importMemories } from "./transfer.ts";

/** What `reprise memory` does, in the order of its help. */
export const memoryActions: readonly Action[] = [
  {
    name: "store",
    takes: "<key> <value...>",
    says: "store a memory: its key, then its value",
    changes: true,
    run: storeMemory,
  },
  { name: "get", takes: "<key>", says: "show one memory with its evidence", run: getMemory },
  {
    name: "list",
    takes: "[words...]",
    says: "list and search memories (the default)",
    run: listMemories,
  },
  {
    name: "update",
    takes: "<key> [value...]",
    says: "change a memory; earlier versions are kept",
    changes: true,
    run: updateMemory,
  },
  {
    name: "forget",
    takes: "<key...>",
    says: "remove every version permanently",
    changes: true,
    run: forgetMemory,
  },
  {
    name: "inbox",
    takes: "[words...]",
    says: "decide about proposed memories, on a screen",
    run: async (invocation, context) =>
      (await import("./inbox/open.ts")).openInbox(invocation, context),
  },
  {
    name: "approve",
    takes: "<id...>",
    says: "keep a proposed memory",
    changes: true,
    run: (invocation, context) => decideMemory(invocation, context, "kept"),
  },
  {
    name: "reject",
    takes: "<id...>",
    says: "reject a proposed memory",
    changes: true,
    run: (invocation, context) => decideMemory(invocation, context, "rejected"),
  },
  {
    name: "reopen",
    takes: "<id>",
    says: "put a decided memory back into the inbox",
    changes: true,
    run: reopenMemory,
  },
  {
    name: "edit",
    takes: "<id> <text...>",
    says: "approve a proposed memory with another value",
    changes: true,
    run: editMemory,
  },
  {
    name: "propose",
    takes: "[session...]",
    says: "look for memories in sessions, for the inbox",
    changes: true,
    run: (invocation, context) =>
      invocation.flags.isSet("fromAgents")
        ? proposeFromAgents(invocation, context)
        : proposeMemories(invocation, context),
  },
  { name: "sources", says: "list the memories that agents keep themselves", run: listSources },
  {
    name: "publish",
    says: "write memories into the pages that agents read",
    changes: true,
    run: publishMemories,
  },
  { name: "conflicts", says: "list memories that contradict each other", run: memoryConflicts },
  {
    name: "supersede",
    takes: "<newer> <older>",
    says: "mark one memory as replaced by another",
    changes: true,
    run: supersedeMemory,
  },
  {
    name: "injection",
    takes: "[on|off]",
    says: "show or set whether agents get memories unasked",
    run: memoryInjection,
  },
  { name: "history", takes: "<key>", says: "list the versions of a memory", run: memoryHistory },
  { name: "audit", says: "list who changed what", run: memoryAudit },
  { name: "stats", takes: "[words...]", says: "count memories, by a field", run: memoryStatistics },
  {
    name: "clean",
    says: "remove expired and doubled memories, archive unused ones",
    changes: true,
    run: cleanMemory,
  },
  {
    name: "reset",
    says: "forget all memories of a project, or all of a type",
    changes: true,
    run: resetMemory,
  },
  {
    name: "export",
    takes: "[words...]",
    says: "write memories as JSON, CSV, XML or YAML",
    run: exportMemories,
  },
  {
    name: "import",
    takes: "<file>",
    says: "read such a file into the inbox",
    changes: true,
    run: importMemories,
  },
  { name: "backup", says: "keep all memories of all projects in one file", run: backUpMemories },
  { name: "backups", says: "list the backups", run: listBackups },
  {
    name: "restore",
    takes: "<backup>",
    says: "bring a backup back",
    changes: true,
    run: restoreBackup,
  },
];
