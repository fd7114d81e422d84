import type { Command } from "./command.ts";

/** A command in the table: enough to list it; its module is loaded when it runs. */
export interface CommandEntry {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly summary: string;
  load(): Promise<Command>;
}

/** Every command, in the order the help shows them. */
export const commands: readonly CommandEntry[] = [
  {
    name: "list",
    aliases: ["sessions", "ls"],
    summary: "list sessions of every agent, by project, newest first",
    load: async () => (await import("../commands/list.ts")).list,
  },
  {
    name: "show",
    summary: "show a readable transcript of a session",
    load: async () => (await import("../commands/show.ts")).show,
  },
  {
    name: "search",
    aliases: ["find"],
    summary: "search every session at once",
    load: async () => (await import("../commands/search.ts")).search,
  },
  {
    name: "pick",
    summary: "open the home screen: find a session and do something with it",
    load: async () => (await import("../commands/pick.ts")).pick,
  },
  {
    name: "blame",
    summary: "show which session, event and prompt last wrote each line of a file",
    load: async () => (await import("../commands/blame.ts")).blameCommand,
  },
  {
    name: "files",
    summary: "list the files a session read, modified and created",
    load: async () => (await import("../commands/files.ts")).files,
  },
  {
    name: "continue",
    summary: "continue the newest session of this project",
    load: async () => (await import("../commands/continue.ts")).continueCommand,
  },
  {
    name: "resume",
    summary: "resume a session you name or choose, in its own agent or in another",
    load: async () => (await import("../commands/resume.ts")).resume,
  },
  {
    name: "chat",
    summary: "talk with a model in a session that survives a crash",
    load: async () => (await import("../commands/chat.ts")).chatCommand,
  },
  {
    name: "new",
    summary: "begin a session in Reprise's own store",
    load: async () => (await import("../commands/new.ts")).newCommand,
  },
  {
    name: "append",
    summary: "add events from standard input to a session",
    load: async () => (await import("../commands/append.ts")).append,
  },
  {
    name: "fork",
    summary: "make a new session that shares another's history up to an event",
    load: async () => (await import("../commands/fork.ts")).fork,
  },
  {
    name: "rewind",
    summary: "go back to a checkpoint or an event: files, conversation, or both",
    load: async () => (await import("../commands/rewind.ts")).rewind,
  },
  {
    name: "checkpoint",
    summary: "take, list, show, find and delete checkpoints of this project",
    load: async () => (await import("../commands/checkpoint.ts")).checkpoint,
  },
  {
    name: "tree",
    summary: "show forks, rewinds, compactions and relatives of a session",
    load: async () => (await import("../commands/tree.ts")).tree,
  },
  {
    name: "compare",
    summary: "compare two branches or sessions from where they differ",
    load: async () => (await import("../commands/compare.ts")).compare,
  },
  {
    name: "diff",
    summary: "show what changed in files, and which call changed it",
    load: async () => (await import("../commands/diff.ts")).diff,
  },
  {
    name: "rename",
    summary: "give a session a title",
    load: async () => (await import("../commands/rename.ts")).rename,
  },
  {
    name: "tag",
    summary: "tag a session, pin it, or see its tags",
    load: async () => (await import("../commands/tag.ts")).tag,
  },
  {
    name: "delete",
    summary: "delete a session, or all that are old or of a project; undo brings them back",
    load: async () => (await import("../commands/delete.ts")).deleteCommand,
  },
  {
    name: "export",
    summary: "export a session as Markdown, HTML, JSON or JSON lines",
    load: async () => (await import("../commands/export.ts")).exportCommand,
  },
  {
    name: "share",
    summary: "write one file to share, with secrets masked",
    load: async () => (await import("../commands/share.ts")).share,
  },
  {
    name: "scan",
    summary: "report which sessions hold which kinds of secrets",
    load: async () => (await import("../commands/scan.ts")).scan,
  },
  {
    name: "handoff",
    summary: "summarise a session on a page of Markdown, for any agent or person",
    load: async () => (await import("../commands/handoff.ts")).handoff,
  },
  {
    name: "import",
    summary: "import an exported session, or another agent's, into Reprise's own store",
    load: async () => (await import("../commands/import.ts")).importCommand,
  },
  {
    name: "sources",
    summary: "add places to look for sessions: databases, exports, other machines",
    load: async () => (await import("../commands/sources.ts")).sources,
  },
  {
    name: "backup",
    summary: "copy all sessions, memories and titles into a folder, to move or to keep",
    load: async () => (await import("../commands/backup.ts")).backup,
  },
  {
    name: "restore",
    summary: "bring a backup back, on this machine or a new one",
    load: async () => (await import("../commands/restore.ts")).restore,
  },
  {
    name: "stats",
    summary: "report tokens and cost by day, session, project, agent or model",
    load: async () => (await import("../commands/stats.ts")).stats,
  },
  {
    name: "hooks",
    summary: "install, remove and check the hooks that agents call",
    load: async () => (await import("../commands/hooks.ts")).hooks,
  },
  {
    name: "bracket",
    aliases: ["context"],
    summary: "show how full the context of a session is, and what to do then",
    load: async () => (await import("../commands/bracket.ts")).bracket,
  },
  {
    name: "statusline",
    summary: "print one line for an agent's status bar",
    load: async () => (await import("../commands/statusline.ts")).statusline,
  },
  {
    name: "drain",
    summary: "reconcile hook state with transcripts",
    load: async () => (await import("../commands/drain.ts")).drainCommand,
  },
  {
    name: "ledger",
    summary: "show the page kept about a session: goal, decisions, open questions",
    load: async () => (await import("../commands/ledger.ts")).ledger,
  },
  {
    name: "session",
    summary: "restore, annotate or end a session from a script",
    load: async () => (await import("../commands/session.ts")).session,
  },
  {
    name: "task",
    summary: "list and update the tasks of the agents in this project",
    load: async () => (await import("../commands/task.ts")).task,
  },
  {
    name: "recall",
    summary: "answer a question from memories and all sessions, with evidence",
    load: async () => (await import("../commands/recall.ts")).recallCommand,
  },
  {
    name: "remember",
    summary: "store a sentence in the memory of this project",
    load: async () => (await import("../commands/remember.ts")).rememberCommand,
  },
  {
    name: "memory",
    summary: "store, find and forget facts about this project",
    load: async () => (await import("../commands/memory.ts")).memory,
  },
  {
    name: "mcp",
    summary: "serve sessions and memories to agents over MCP",
    load: async () => (await import("../commands/mcp.ts")).mcp,
  },
  {
    name: "slash",
    summary: "install, remove and check commands to type inside agents",
    load: async () => (await import("../commands/slash.ts")).slash,
  },
  {
    name: "verify",
    summary: "check sessions for damage",
    load: async () => (await import("../commands/verify.ts")).verify,
  },
  {
    name: "store",
    summary: "copy sessions between a folder and an SQLite database",
    load: async () => (await import("../commands/store.ts")).store,
  },
  {
    name: "prune",
    summary: "delete old sessions from Reprise's own store",
    load: async () => (await import("../commands/prune.ts")).prune,
  },
  {
    name: "index",
    summary: "bring the search index up to date, or report its state",
    load: async () => (await import("../commands/index-command.ts")).indexCommand,
  },
  {
    name: "config",
    summary: "show and change settings: retention, default flags, your own agents",
    load: async () => (await import("../commands/config.ts")).config,
  },
  {
    name: "completion",
    summary: "print a script that completes commands, flags, agents and sessions",
    load: async () => (await import("../commands/completion.ts")).completion,
  },
  {
    name: "complete",
    summary: "print completions for a command line; shells call this",
    load: async () => (await import("../commands/complete.ts")).complete,
  },
  {
    name: "undo",
    summary: "undo the last change, or a named one",
    load: async () => (await import("../commands/undo.ts")).undo,
  },
  {
    name: "redo",
    summary: "redo what was undone last",
    load: async () => (await import("../commands/redo.ts")).redo,
  },
];

/** The command a word names. */
export function commandNamed(word: string): CommandEntry | undefined {
  return commands.find(({ name, aliases }) => name === word || aliases?.includes(word) === true);
}
