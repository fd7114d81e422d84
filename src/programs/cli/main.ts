import { processEnvironment } from "../../base/env.ts";
import { registerUserAgents } from "./run/every-agent.ts";
import { version } from "./run/version.ts";
import { processOutput } from "./terminal/output.ts";

/** The run of this process; settled when nothing is left to do. */
export const finished: Promise<void> = main(process.argv.slice(2));

async function main(argv: readonly string[]): Promise<void> {
  registerUserAgents(processEnvironment(), (text) => processOutput().note(text));
  // A search runs by itself where it can: starting is most of what it costs.
  if (argv[0] === "search") {
    const { runQuickSearch } = await import("./quick.ts");
    const code = await runQuickSearch(argv.slice(1));
    if (code !== undefined) {
      process.exitCode = code;
      return;
    }
  }
  // Help and version answer from the table alone; everything else loads only what it runs.
  if (argv.length === 1 && /^(--version|-V|-v|version)$/.test(argv[0]!)) {
    await processOutput().write(`${version}\n`);
  } else if (argv.length === 1 && /^(--help|-h|help)$/.test(argv[0]!)) {
    const { overview } = await import("./run/overview.ts");
    await processOutput().write(overview());
  } else {
    const { runProgram } = await import("./run/run.ts");
    process.exitCode = await runProgram(argv);
  }
}
