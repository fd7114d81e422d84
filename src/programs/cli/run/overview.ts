import { version } from "../../../base/version.ts";
import { type CommandEntry, commandNamed, commands } from "./commands.ts";

/** The groups of commands, in the order people meet them; what is in none of them is for programs. */
const groups: readonly { readonly name: string; readonly commands: readonly string[] }[] = [
  {
    name: "Everyday",
    commands: [
      ...["list", "show", "search", "continue", "resume"],
      ...["pick", "chat", "tag", "rename", "delete", "export", "share", "stats", "undo", "redo"],
    ],
  },
  {
    name: "Compare and move",
    commands: [
      ...["fork", "rewind", "checkpoint", "tree", "compare", "diff", "files", "blame"],
      ...["handoff", "import", "sources", "backup", "restore"],
    ],
  },
  {
    name: "Agents and memory",
    commands: [
      ...["hooks", "slash", "statusline", "bracket", "ledger", "task"],
      ...["remember", "memory", "recall"],
      ...["mcp", "serve"],
    ],
  },
  {
    name: "Maintenance",
    commands: ["config", "completion", "index", "verify", "doctor", "scan", "prune", "store"],
  },
];

/** How many commands the first screen names. */
const firstCommands = 5;

const ending = `A session is named by the beginning of its id, agent:id, words of its title, a
tag, a path, or @last (codex:@last for one agent); ref@57 names an event of it.
Every command has --help with examples, and --json.
Exit codes: 0 ok, 1 failed or nothing found, 2 usage, 3 no such session, 4 conflict.
`;

/** What `reprise --help` prints: the commands of every day. */
export function overview(): string {
  const first = groups[0]?.commands.slice(0, firstCommands) ?? [];
  return `reprise ${version}: keeps the sessions of AI coding agents

Usage: reprise [command] [arguments]

  Without a command: the home screen on a terminal, a list otherwise.

${rows(first.flatMap((name) => commandNamed(name) ?? []))}

  --continue        the same as continue
  --resume [ref]    the same as resume
  --sample          use the sample sessions instead of your own

All commands: reprise help all

${ending}`;
}

/** What `reprise help all` prints: every command, in groups. */
export function fullOverview(): string {
  const grouped = new Set(groups.flatMap((group) => group.commands));
  const named = groups.map((group) => ({
    name: group.name,
    entries: group.commands.flatMap((name) => commandNamed(name) ?? []),
  }));
  const rest = commands.filter(({ name }) => !grouped.has(name));
  const sections = [...named, { name: "Plumbing", entries: rest }]
    .filter(({ entries }) => entries.length > 0)
    .map(({ name, entries }) => `${name}:\n${rows(entries)}`);
  return `reprise ${version}: keeps the sessions of AI coding agents

${sections.join("\n\n")}

${ending}`;
}

function rows(entries: readonly CommandEntry[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return entries.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`).join("\n");
}
