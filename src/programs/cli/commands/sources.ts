import { addSource, listSources, removeSource, type SourceShare } from "../../../agents/sources.ts";
import { RepriseError } from "../../../base/errors.ts";
import { count } from "../render/count.ts";
import { homely } from "../render/path-text.ts";
import type { Command, CommandContext } from "../run/command.ts";
import { isScreen } from "../terminal/output.ts";
import { tellStatus, wipeStatus } from "../terminal/status-line.ts";
import { safeLine } from "../terminal/terminal-text.ts";

/** `reprise sources`: places with sessions that no agent would be looked for in. */
export const sources: Command = {
  name: "sources",
  summary: "add places to look for sessions: databases, exports, other machines",
  details: `A source is a file or folder with sessions that is not in one of the usual places: a LangGraph database, CrewAI
storage, an export of ChatGPT, Claude.ai or Gemini as a file or zip, a copy of another machine's home. Its sessions are
listed and searched like the others; those of web exports only with \`--agent web-export\` or \`--all\`. The source is only
read. \`reprise undo\` undoes the last change.`,
  args: [
    { name: "<action>", says: "one of the actions above" },
    { name: "[path]", says: "the file or folder" },
  ],
  actions: [
    { name: "add", takes: "<path>", says: "add a file or folder" },
    { name: "list", says: "list what was added, and what it holds" },
    { name: "remove", takes: "<path>", says: "remove it from the list; its files stay" },
  ],
  flags: [],
  examples: [
    { line: "reprise sources add ~/backup/laptop-home", says: "the home of another machine" },
    {
      line: "reprise sources add chatgpt-export.zip",
      says: "then `reprise search` looks there too",
    },
    { line: "reprise sources list", says: "what was added, and what it holds" },
  ],
  json: `add: { path: string, holds: { agent: string, sessions: number }[], entry: number }
list: { sources: { path: string, addedAt: string, exists: boolean, holds: { agent: string, sessions: number }[] }[] }
remove: { path: string, entry: number }`,
  changes: ({ args }) => args[0] !== "list",
  run: async ({ args }, context) => {
    const [action = "", path, ...rest] = args;
    const does = actions.get(action);
    if (does === undefined || rest.length > 0) {
      throw new RepriseError("usage", `Not an action: ${JSON.stringify(action)}.`, {
        hint: "Say `reprise sources add <path>`, `list` or `remove <path>`.",
      });
    }
    return does(path, context);
  },
};

const actions = new Map([
  ["add", add],
  ["list", list],
  ["remove", remove],
]);

async function add(given: string | undefined, context: CommandContext): Promise<void> {
  const path = needed(given, "add");
  // An archive of hundreds of megabytes takes seconds to look through.
  const isSeen = isScreen(2) && !context.json;
  if (isSeen) tellStatus(`Looking for sessions in ${safeLine(path)}…`);
  let change: ReturnType<typeof addSource>;
  try {
    change = addSource(path, context);
  } finally {
    if (isSeen) wipeStatus();
  }
  if (context.json) return context.out.writeJson(change);
  context.out.note(
    `Added ${safeLine(homely(change.path, context.env))}: ${heldText(change.holds)}.`,
  );
  context.out.note("`reprise list` and `search` have them now, among yours, by project and date.");
}

async function remove(given: string | undefined, context: CommandContext): Promise<void> {
  const change = removeSource(needed(given, "remove"), context);
  if (context.json) return context.out.writeJson(change);
  const path = safeLine(homely(change.path, context.env));
  context.out.note(`Removed ${path} from the sources; nothing there was touched.`);
}

async function list(_given: string | undefined, context: CommandContext): Promise<void> {
  const found = listSources(context);
  if (context.json) return context.out.writeJson({ sources: found });
  if (found.length === 0) {
    return context.out.write("No sources. Add one with `reprise sources add <path>`.\n");
  }
  for (const { path, exists, holds } of found) {
    const says = exists ? heldText(holds) : "not there now";
    await context.out.write(`${safeLine(homely(path, context.env))}  ${says}\n`);
  }
}

function needed(path: string | undefined, action: string): string {
  if (path !== undefined) return path;
  throw new RepriseError("usage", "No file or folder was named.", {
    hint: `Say \`reprise sources ${action} <path>\`.`,
  });
}

function heldText(holds: readonly SourceShare[]): string {
  if (holds.length === 0) return "no sessions";
  return holds.map(({ agent, sessions }) => `${count(sessions, "session")} of ${agent}`).join(", ");
}
