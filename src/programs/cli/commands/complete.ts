import { agentsIn } from "../../../agents/user-agents.ts";
import { candidatesFor } from "../completion/candidates.ts";
import type { Command } from "../run/command.ts";

/** `reprise complete`: what can be typed next, for the scripts of \`reprise completion\`. */
export const complete: Command = {
  name: "complete",
  summary: "print completions for a command line; shells call this",
  withoutAgents: true,
  pathsBehind: true,
  args: [{ name: "[words...]", says: "the words after `reprise`; the last may be incomplete" }],
  flags: [],
  examples: [{ line: "reprise complete -- show ''", says: "the sessions that can be shown" }],
  json: "{ candidates: { value: string, says: string }[] }",
  run: async ({ args, paths }, context) => {
    const words = paths ?? args;
    const candidates = await candidatesFor(words, async () => {
      return { ...context, agents: await agentsIn(context.env) };
    });
    if (context.json) return context.out.writeJson({ candidates });
    const lines = candidates.map(({ value, says }) => `${value}\t${says}\n`);
    await context.out.write(lines.join(""));
  },
};
