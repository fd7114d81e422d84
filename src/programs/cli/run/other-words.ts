import { nearName } from "../../../base/near-name.ts";
import { commands } from "./commands.ts";

/** What to type, and the words that people try for it. */
export const otherWords: readonly { readonly meant: string; readonly words: readonly string[] }[] =
  [
    { meant: "stats", words: ["cost", "costs", "usage", "tokens", "price", "spend", "spending"] },
    { meant: "checkpoint", words: ["save", "snapshot", "commit", "stash"] },
    { meant: "recall", words: ["ask", "question", "answer", "why", "query"] },
    { meant: "memory forget", words: ["forget", "unlearn"] },
    { meant: "memory", words: ["memories", "facts", "notes"] },
    { meant: "remember", words: ["note", "learn", "memorize"] },
    { meant: "search", words: ["grep", "locate", "lookup"] },
    { meant: "delete", words: ["rm", "remove", "erase", "trash"] },
    { meant: "list", words: ["history", "log", "logs", "recent", "dir", "status"] },
    {
      meant: "show",
      words: ["cat", "view", "open", "read", "print", "transcript", "less", "info"],
    },
    { meant: "rewind", words: ["revert", "rollback", "reset", "checkout", "back"] },
    { meant: "compare", words: ["merge", "branch", "branches"] },
    { meant: "resume --in <agent>", words: ["convert", "migrate", "transfer", "switch", "port"] },
    { meant: "continue", words: ["last", "start", "run"] },
    { meant: "backup <folder>", words: ["move", "copy", "archive", "sync", "dump"] },
    { meant: "verify", words: ["doctor", "check", "health", "repair", "fsck", "validate"] },
    { meant: "prune", words: ["clean", "cleanup", "gc", "purge", "retention"] },
    { meant: "rename", words: ["title", "name", "mv"] },
    { meant: "tag", words: ["label", "pin", "star", "bookmark", "favorite"] },
    { meant: "chat", words: ["talk", "prompt"] },
    { meant: "handoff", words: ["summary", "summarize", "summarise", "brief"] },
    { meant: "share", words: ["publish", "redact", "upload"] },
    { meant: "scan", words: ["secrets", "leaks"] },
    { meant: "bracket", words: ["window", "budget", "full", "room"] },
    { meant: "hooks install", words: ["install", "setup", "init"] },
    { meant: "hooks uninstall", words: ["uninstall"] },
    { meant: "config", words: ["settings", "set", "get", "preferences"] },
    { meant: "pick", words: ["home", "ui", "tui", "browse", "menu"] },
    { meant: "index", words: ["reindex", "rebuild", "refresh"] },
    { meant: "blame", words: ["who", "annotate"] },
    { meant: "files", words: ["changes", "changed"] },
    { meant: "mcp", words: ["serve", "server"] },
    { meant: "slash", words: ["commands"] },
    { meant: "task", words: ["todo", "todos", "tasks"] },
  ];

/** What an unknown command was probably to be: by other words for it, its spelling, or what the commands do. */
export function commandsMeant(typed: string): readonly string[] {
  const word = typed.toLowerCase();
  const other = otherWords.find(({ words }) => words.includes(word));
  if (other !== undefined) return [other.meant];
  const near = nearName(
    word,
    commands.map(({ name }) => name),
  );
  if (near !== undefined) return [near];
  if (word.length < shortest) return [];
  return commands
    .filter(({ summary }) => summary.split(/[^a-z]+/).some((said) => isForm(said, word)))
    .slice(0, most)
    .map(({ name }) => name);
}

/** Shorter words say too little to look for them in summaries. */
const shortest = 4;

/** How many commands a hint names. */
const most = 3;

/** Whether one of two words begins with the other: `secret` and `secrets`. */
function isForm(said: string, word: string): boolean {
  return said.length >= shortest && (said.startsWith(word) || word.startsWith(said));
}
