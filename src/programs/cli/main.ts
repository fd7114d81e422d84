import { commands } from "./commands.ts";
import { processOutput } from "./output.ts";
import { version } from "./version.ts";

/** The run of this process; settled when nothing is left to do. */
export const finished: Promise<void> = main(process.argv.slice(2));

async function main(argv: readonly string[]): Promise<void> {
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
    await processOutput().write(overview());
  } else {
    const { runProgram } = await import("./run.ts");
    process.exitCode = await runProgram(argv);
  }
}

function overview(): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  const rows = commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  return `reprise ${version}: keeps the sessions of AI coding agents

Usage: reprise [command] [arguments]

  Without a command: choose a session on a terminal, a list otherwise.
  --continue        continue the newest session of this project
  --resume [ref]    continue a session, chosen from a list where none is named
  --sample          work on the sample sessions instead of yours

Commands:
${rows.join("\n")}

A session is named by the beginning of its id, agent:id, words of its title, a
tag, a path, or @last; ref@57 names an event of it. Every command has --help with
examples, and --json.
Exit codes: 0 ok, 1 failed, 2 usage, 3 not found, 4 conflict.
`;
}
