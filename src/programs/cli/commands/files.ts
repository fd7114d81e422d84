import { readSession } from "../../../agents/reading.ts";
import { referenceTo, resolveReference } from "../../../agents/reference.ts";
import { dialectsOf } from "../../../catalog/blame/call-acts.ts";
import { type SessionFile, sessionFiles } from "../../../catalog/blame/session-files.ts";
import { UnshownCommands } from "../../../catalog/blame/unshown-commands.ts";
import { filesText } from "../render/files-text.ts";
import { tallySentences } from "../render/tally-text.ts";
import { unshownText } from "../render/unshown-text.ts";
import type { Command } from "../run/command.ts";
import { foundNothing, isFiltered } from "../run/nothing-found.ts";
import { withProgress } from "../terminal/progress.ts";

/** `reprise files`: what a session read, modified, created and deleted. */
export const files: Command = {
  name: "files",
  summary: "list the files a session read, modified and created",
  details: `Based on the session's tool calls, for every agent alike. What a shell command did is seen only if the command says
the content it writes to a file; commands that may have changed files otherwise are listed at the end. Failed calls are
counted separately.`,
  args: [{ name: "<ref...>", says: "the session" }],
  flags: [
    { flags: "--changed", says: "only files that were changed", kind: "switch" },
    { flags: "--live", says: "leave out abandoned branches", kind: "switch" },
  ],
  examples: [
    { line: "reprise files @last", says: "list the files of the newest session" },
    {
      line: "reprise files codex:01a1e08b --changed --json | jq -r '.files[].path'",
      says: "paths for a script",
    },
  ],
  json: `{ ref: string, files: { path: string, read?: Use, modified?: Use, created?: Use,
  deleted?: Use, failed?: Use, movedTo?: string }[],
  commands: { event: string, command: string, paths: string[] }[] }
type Use = { count: number, events: string[] }`,
  run: async (invocation, context) => {
    const session = resolveReference(invocation.args.join(" "), context);
    const reading = readSession(session, { allBranches: !invocation.flags.isSet("live") });
    const events = withProgress(reading.events, context, { verb: "Reading", toFile: true });
    const options = { dialects: dialectsOf(context.agents), cwd: session.head.cwd };
    const commands = new UnshownCommands(options);
    const found = await sessionFiles(commands.watch(events), options);
    const shown = invocation.flags.isSet("changed") ? found.filter(isChanged) : found;
    if (shown.length === 0 && isFiltered(invocation)) foundNothing();
    if (context.json) {
      await context.out.writeJson({
        ref: referenceTo(session),
        files: shown,
        commands: commands.found,
      });
      return;
    }
    const isChangedOnly = invocation.flags.isSet("changed");
    await context.out.write(filesText(session, shown, { ...context, isChangedOnly }));
    const unshown = commands.found.map(({ event, command }) => ({ place: `@${event}`, command }));
    await context.out.write(unshownText(unshown, context));
    for (const sentence of tallySentences(reading.tally)) {
      await context.out.write(`${context.colours.yellow(sentence)}\n`);
    }
  },
};

function isChanged({ modified, created, deleted }: SessionFile): boolean {
  return modified !== undefined || created !== undefined || deleted !== undefined;
}
