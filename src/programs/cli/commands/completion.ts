import { basename } from "node:path";
import { RepriseError } from "../../../base/errors.ts";
import { completionScript, type Shell, shells } from "../completion/scripts.ts";
import type { Command } from "../run/command.ts";

/** `reprise completion`: what a shell must be reported so that it completes commands, flags, agents and sessions. */
export const completion: Command = {
  name: "completion",
  summary: "print a script that completes commands, flags, agents and sessions",
  withoutAgents: true,
  args: [{ name: "[shell]", says: `${shells.join(", ")} (default: yours, as $SHELL names it)` }],
  flags: [],
  examples: [
    {
      line: "reprise completion bash",
      says: 'put eval "$(reprise completion bash)" into ~/.bashrc; for zsh the same into ~/.zshrc',
    },
    {
      line: "reprise completion fish",
      says: "write it to ~/.config/fish/completions/reprise.fish",
    },
  ],
  json: "{ shell: string, script: string }",
  run: async ({ args }, context) => {
    const wanted = args[0] ?? basename(context.env.variables["SHELL"] ?? "");
    const shell = shells.find((name) => name === wanted);
    if (shell === undefined) {
      const what =
        wanted === ""
          ? "No shell was named."
          : `There is no completion for ${JSON.stringify(wanted)}.`;
      throw new RepriseError("usage", what, {
        hint: `Type \`reprise completion <shell>\` with one of: ${shells.join(", ")}.`,
      });
    }
    const script = completionScript(shell satisfies Shell);
    if (context.json) return context.out.writeJson({ shell, script });
    await context.out.write(script);
  },
};
