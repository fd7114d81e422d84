import { basename } from "node:path";
import { RepriseError } from "../../../base/errors.ts";
import { completionScript, type Shell, shells } from "../completion/scripts.ts";
import type { Command } from "../run/command.ts";

/** `reprise completion`: what a shell must be reported so that it completes commands, flags, agents and sessions. */
export const completion: Command = {
  name: "completion",
  summary: "print a script that completes commands, flags, agents and sessions",
  details: `Either the shell reads the script whenever it starts, with eval, or you write it to a file once: that starts
faster, and the file stays the same when Reprise is updated, because the script asks Reprise what there is to complete.`,
  withoutAgents: true,
  args: [{ name: "[shell]", says: `${shells.join(", ")} (default: yours, as $SHELL names it)` }],
  flags: [],
  examples: [
    {
      line: "reprise completion bash",
      says: 'put eval "$(reprise completion bash)" into ~/.bashrc; for zsh the same into ~/.zshrc',
    },
    {
      line: "reprise completion bash > ~/.reprise.bash",
      says: "a file; put `. ~/.reprise.bash` into ~/.bashrc",
    },
    {
      line: "reprise completion zsh > ~/.reprise.zsh",
      says: "a file; put `. ~/.reprise.zsh` into ~/.zshrc, after compinit",
    },
    {
      line: "reprise completion fish > ~/.config/fish/completions/reprise.fish",
      says: "a file that fish reads by itself",
    },
  ],
  json: "{ shell: string, script: string }",
  run: async ({ args }, context) => {
    const wanted = args[0] ?? basename(context.env.variables["SHELL"] ?? "");
    const shell = shells.find((name) => name === wanted);
    if (shell === undefined) {
      const what =
        wanted === "" ? "No shell was named." : `${JSON.stringify(wanted)} has no completion.`;
      throw new RepriseError("usage", what, {
        hint: `Type \`reprise completion <shell>\` with one of: ${shells.join(", ")}.`,
      });
    }
    const script = completionScript(shell satisfies Shell);
    if (context.json) return context.out.writeJson({ shell, script });
    await context.out.write(script);
  },
};
