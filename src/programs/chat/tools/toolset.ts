import type { AgentTool } from "../../../loop/tool.ts";
import { bashTool } from "./bash.ts";
import { editTool } from "./edit.ts";
import { readTool } from "./read.ts";
import { writeTool } from "./write.ts";

/** Which of the tools a chat has. */
export const toolSets = ["none", "read", "all"] as const;

/** What tools know of where they work. */
export interface Workplace {
  readonly cwd: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Keys of models: no command is given them, and no result shows them. */
  readonly secrets: readonly string[];
}

/** The tools of a chat, working in a folder. Each asks first. */
export function toolsFor(set: (typeof toolSets)[number], place: Workplace): readonly AgentTool[] {
  const read = readTool(place);
  const tools = {
    none: [],
    read: [read],
    all: [read, writeTool(place), editTool(place), bashTool(place)],
  }[set];
  return tools.map((tool) => ({ ...withoutSecrets(tool, place.secrets), asks: true }));
}

/** The same tool, whose answers show no key. */
function withoutSecrets(tool: AgentTool, secrets: readonly string[]): AgentTool {
  const hidden = (text: string): string =>
    secrets.reduce((shown, secret) => shown.replaceAll(secret, "***"), text);
  return {
    ...tool,
    run: async (input, about) => {
      const answer = await tool.run(input, about);
      if (typeof answer === "string") return hidden(answer);
      const { content } = answer;
      return { ...answer, content: typeof content === "string" ? hidden(content) : content };
    },
  };
}
