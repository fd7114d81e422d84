import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { RepriseError } from "../../../base/errors.ts";
import type { Command, CommandContext, Invocation } from "../run/command.ts";

/** `reprise chat`: talks with a model in a session that survives. */
export const chatCommand: Command = {
  name: "chat",
  summary: "talk with a model in a session that survives a crash",
  details: `Everything is stored as it is said. \`reprise chat continue\` continues the newest session of this project, --resume
any session of any agent. The model is --model, else REPRISE_MODEL, else the one for the API key in the environment
(ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY). \`ollama/name\` runs on this machine; \`offline\` needs no model and
only recalls. Tools ask before they run. Without a terminal each line of standard input is a prompt, and tools that ask do
not run. Type /help for commands.`,
  args: [{ name: "[continue]", says: "continue the newest session of this project" }],
  flags: [
    {
      flags: "--resume <ref>",
      says: "continue this session; another agent's is converted first",
      kind: "text",
    },
    {
      flags: "--model <name>",
      says: "the model, such as claude-sonnet-4-5, openai/gpt-5, ollama/llama3.2, offline",
      kind: "text",
    },
    {
      flags: "--system <text>",
      says: "give the model these instructions; @file reads a file",
      kind: "text",
    },
    {
      flags: "--tools <which>",
      says: "none, read, or all (default): read, write, edit, bash",
      kind: "text",
      choices: ["none", "read", "all"],
    },
    {
      flags: "--compact <how>",
      says: "how to make room: truncate, summarise (default), rotate",
      kind: "text",
      choices: ["truncate", "summarise", "rotate"],
    },
    {
      flags: "--summary-model <name>",
      says: "the model that writes summaries (default: built-in summaries)",
      kind: "text",
    },
    {
      flags: "--window <tokens>",
      says: "the model's context window, if it is not known",
      kind: "count",
    },
    {
      flags: "--session-dir <folder>",
      says: "keep sessions in this folder instead of the store",
      kind: "text",
    },
  ],
  examples: [
    { line: "reprise chat", says: "a new session in this folder" },
    { line: "reprise chat continue", says: "the newest session of this folder" },
    {
      line: "reprise chat --resume claude-code:3f9a --model ollama/llama3.2",
      says: "a session of another agent",
    },
    { line: "reprise chat --model offline", says: "try how a chat is kept, without a model" },
  ],
  json: `one line for each prompt: { ref: string, text: string, reason: "done" | "aborted" | "steps", steps: number, usage: Usage }
or { ref?: string, error: { code: string, message: string, hint: string } }`,
  withoutAgents: true,
  run: async (invocation, context) => {
    const { args, flags } = invocation;
    const [word] = args;
    if (word !== undefined && word !== "continue") {
      throw new RepriseError(
        "usage",
        `\`reprise chat\` takes the word continue, not ${JSON.stringify(word)}.`,
      );
    }
    const resume = flags.text("resume");
    if (word !== undefined && resume !== undefined) {
      throw new RepriseError("usage", "continue and --resume name two sessions; give one of them.");
    }
    const { chooseModel } = await import("../../chat/choose-model.ts");
    const { variables } = context.env;
    const summaryName = flags.text("summaryModel");
    const windowTokens = flags.number("window");
    const { chat } = await import("../../chat/chat.ts");
    await chat(
      {
        start: {
          continues: word !== undefined,
          resume,
          dir: flags.text("sessionDir"),
          modelName: flags.text("model"),
        },
        model: chooseModel(flags.text("model"), variables, { windowTokens }),
        system: instructionsIn(invocation, context),
        tools: (flags.text("tools") ?? "all") as "none" | "read" | "all",
        compaction: {
          strategy: (flags.text("compact") ?? "summarise") as "truncate" | "summarise" | "rotate",
          ...(summaryName !== undefined && { summaryModel: chooseModel(summaryName, variables) }),
        },
      },
      context,
    );
  },
};

function instructionsIn({ flags }: Invocation, context: CommandContext): string | undefined {
  const given = flags.text("system");
  return given?.startsWith("@") === true
    ? readFileSync(resolve(context.folder, given.slice(1)), "utf8")
    : given;
}
