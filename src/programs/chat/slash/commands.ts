import type { CommandContext } from "../../cli/run/command.ts";
import type { ChatConversation } from "../conversation.ts";
import { ask } from "./ask.ts";
import { exportTo, shareTo } from "./hand-out.ts";
import { tellTools, tellUsage } from "./look.ts";
import { clear, compact, fork, rewind, title } from "./session.ts";

/** What a slash command works with. */
export interface SlashSetting {
  readonly chat: ChatConversation;
  readonly context: CommandContext;
  /** Stops what takes long. */
  readonly signal: AbortSignal;
  say(text: string): void;
}

/** What comes of a command: the chat ends, or a text to begin the next prompt with. */
export interface SlashEnd {
  readonly leave?: true;
  readonly initial?: string;
}

/** A command that is typed with a slash. */
export interface SlashCommand {
  readonly names: readonly string[];
  readonly takes: string;
  readonly says: string;
  run(rest: string, setting: SlashSetting): Promise<SlashEnd | undefined> | SlashEnd | undefined;
}

/** Every slash command, in the order the help shows them. */
export const slashCommands: readonly SlashCommand[] = [
  { names: ["help"], takes: "", says: "show this list", run: (_, setting) => tellHelp(setting) },
  {
    names: ["title"],
    takes: "[title]",
    says: "show the session's title, or give it one",
    run: title,
  },
  {
    names: ["fork"],
    takes: "[title]",
    says: "continue in a fork; this session stays as it is",
    run: fork,
  },
  {
    names: ["rewind"],
    takes: "[n]",
    says: "go back before the last prompt, or the last n; the rest stays in the log",
    run: rewind,
  },
  {
    names: ["compact"],
    takes: "[truncate | summarise | rotate]",
    says: "make room in the model's window now",
    run: compact,
  },
  {
    names: ["clear"],
    takes: "",
    says: "continue in a new, empty session that remembers this one",
    run: clear,
  },
  {
    names: ["ask"],
    takes: "<question>",
    says: "ask about this conversation; neither is kept",
    run: ask,
  },
  {
    names: ["usage"],
    takes: "",
    says: "show tokens spent, and how full the window is",
    run: tellUsage,
  },
  { names: ["tools"], takes: "", says: "list the tools the model may call", run: tellTools },
  {
    names: ["export"],
    takes: "[file]",
    says: "write the session as .md, .html, .json or .jsonl",
    run: exportTo,
  },
  {
    names: ["share"],
    takes: "[file]",
    says: "write a page to share, with secrets masked",
    run: shareTo,
  },
  {
    names: ["quit", "exit"],
    takes: "",
    says: "leave; everything is kept",
    run: () => ({ leave: true }),
  },
];

/** Whether a prompt is a command: a slash and a word, not a path. */
export function isSlash(text: string): boolean {
  return /^\/[a-z]+(?:\s|$)/i.test(text);
}

/** Runs a command that was typed. */
export async function runSlash(text: string, setting: SlashSetting): Promise<SlashEnd | undefined> {
  const [, word = "", rest = ""] = /^\/(\S+)\s*(.*)$/s.exec(text) ?? [];
  const command = slashCommands.find(({ names }) => names.includes(word.toLowerCase()));
  if (command !== undefined) return command.run(rest.trim(), setting);
  setting.say(`There is no command /${word}. See /help.`);
  return undefined;
}

function tellHelp({ say, context: { colours } }: SlashSetting): undefined {
  const rows = slashCommands.map(({ names, takes, says }) => {
    const typed = `${names.map((name) => `/${name}`).join(", ")} ${takes}`.trimEnd();
    return `  ${colours.cyan(typed.padEnd(42))} ${says}`;
  });
  say(
    [
      ...rows,
      "",
      "Enter sends; Ctrl-J, Alt-Enter or a backslash before Enter begins another line.",
      "↑ and ↓ bring back what was typed. Ctrl-C stops the answer, not the session; Ctrl-D leaves.",
    ].join("\n"),
  );
  return undefined;
}
