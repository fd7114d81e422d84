import { loadAgents } from "../../../src/agents/registry.ts";
import { isRepriseError } from "../../../src/base/errors.ts";
import { commandNamed } from "../../../src/programs/cli/run/commands.ts";
import { parseInvocation } from "../../../src/programs/cli/run/parse.ts";
import { coloursFor } from "../../../src/programs/cli/terminal/colours.ts";

/** What a command printed, and the code of the error it ended with. */
export interface Ran {
  readonly text: string;
  readonly notes: readonly string[];
  /** Undefined where it succeeded; `internal` where what was thrown is none of our errors. */
  readonly code: string | undefined;
  readonly error: unknown;
}

/** Runs commands in this process, in a home of their own. */
export function commandsIn(
  home: string,
  variables: Readonly<Record<string, string>> = {},
): (...line: readonly string[]) => Promise<Ran> {
  const env = {
    home,
    cwd: home,
    platform: process.platform,
    variables: { HOME: home, ...variables },
  };
  return async (name, ...args) => {
    let text = "";
    const notes: string[] = [];
    const command = await commandNamed(name!)!.load();
    const nowMs = Date.parse("2026-11-18T10:00:00.000Z");
    const invocation = parseInvocation(command, args, { nowMs });
    if ("help" in invocation) throw new Error(`${name} ${args.join(" ")} prints help`);
    try {
      await command.run(invocation, {
        env,
        agents: await loadAgents(),
        out: {
          isTerminal: false,
          columns: 80,
          rows: 24,
          write: async (piece) => {
            text += piece;
          },
          writeJson: async (value) => {
            text += JSON.stringify(value);
          },
          note: (line) => void notes.push(line),
        },
        colours: coloursFor({}, { isTerminal: false }),
        json: invocation.flags.isSet("json"),
        nowMs,
        folder: home,
        sample: false,
        bare: false,
      });
      return { text, notes, code: undefined, error: undefined };
    } catch (error) {
      return { text, notes, code: isRepriseError(error) ? error.code : "internal", error };
    }
  };
}
