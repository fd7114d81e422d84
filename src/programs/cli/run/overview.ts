import { version } from "../../../base/version.ts";
import { commands } from "./commands.ts";

/** What `reprise --help` prints. */
export function overview(): string {
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
