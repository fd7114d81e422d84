import { readSync } from "node:fs";
import type { FoundSession } from "../../../agents/newest-sessions.ts";
import { loadAgent } from "../../../agents/registry.ts";
import { exists } from "../../../base/disk.ts";
import { fileStat } from "../../../base/folders.ts";
import { asNumber, asString, isObject, type JsonObject, parseObject } from "../../../base/json.ts";
import { limits } from "../../../base/limits.ts";
import { nameOfHead } from "../../../model/head-name.ts";
import { userHome } from "../../../store/home.ts";
import { readGit } from "../../../store/project.ts";
import { contextText } from "../render/context-text.ts";
import { titleOf } from "../render/heading.ts";
import type { Command, CommandContext } from "../run/command.ts";
import { lookAtSession } from "../sessions/look-at-session.ts";
import { isScreen } from "../terminal/output.ts";
import { safeLine } from "../terminal/terminal-text.ts";

/** `reprise statusline`: one line for the status bar of an agent. */
export const statusline: Command = {
  name: "statusline",
  summary: "print one line for an agent's status bar",
  details: `Prints how full the context is, tokens, cost, branch and title. Claude Code calls it with its own state on standard
input: set "statusLine": {"type": "command", "command": "reprise statusline"} in its settings.`,
  args: [
    {
      name: "[ref...]",
      says: "the session (default: the one on standard input, or the newest)",
    },
  ],
  // An agent that calls it names its own session; only where it does not are all loaded.
  withoutAgents: true,
  flags: [],
  examples: [{ line: "reprise statusline", says: "of the newest session of this project" }],
  json: `{ ref: string, bracket: string, leftPercent: number, tokens: number, windowTokens: number, cost?: number,
  branch?: string, title: string }`,
  run: async ({ args }, context) => {
    const given = args.length > 0 ? {} : await givenState();
    const session =
      (await namedByPath(given, context)) ??
      (await found(args.join(" ") || asString(given["session_id"]), context));
    const look = await lookAtSession(session, context);
    const cost = costIn(given) ?? session.head.usage?.cost;
    const folder = asString(given["cwd"]) ?? session.head.cwd;
    const branch = folder === undefined ? undefined : readGit(folder)?.branch;
    const title = titleOf(session.head);
    if (context.json) {
      const { tokens, windowTokens } = look.context;
      return context.out.writeJson({
        ref: nameOfHead(session.head),
        bracket: look.bracket,
        leftPercent: Math.round(look.leftPercent * 10) / 10,
        ...{ tokens, windowTokens },
        ...(cost !== undefined && { cost }),
        ...(branch !== undefined && { branch }),
        title,
      });
    }
    const parts = [
      contextText(look, context.colours),
      cost === undefined ? "" : `$${cost.toFixed(2)}`,
      safeLine(branch ?? ""),
      safeLine(title),
    ];
    await context.out.write(`${parts.filter((part) => part !== "").join(" | ")}\n`);
  },
};

/** The session whose transcript the agent names: no other one need be looked for, and no other agent loaded. */
async function namedByPath(
  given: JsonObject,
  { env }: CommandContext,
): Promise<FoundSession | undefined> {
  const path = asString(given["transcript_path"]);
  const session = asString(given["session_id"]);
  const stat = path === undefined ? undefined : fileStat(path);
  if (path === undefined || session === undefined || stat === undefined) return undefined;
  const agent = await loadAgent("claude-code");
  if (agent === undefined) return undefined;
  const ref = { agent: agent.name, session, path, ...stat };
  const head = agent.head(ref, env);
  if (head === undefined) return undefined;
  const home = userHome(env);
  if (!exists(home.journal)) return { agent, ref, head };
  const { marked, marksOf } = await import("../../../store/marks.ts");
  return { agent, ref, head: marked(head, marksOf(home)) };
}

async function found(
  reference: string | undefined,
  context: CommandContext,
): Promise<FoundSession> {
  const { everyAgent } = await import("../../../agents/user-agents.ts");
  const { resolveReference } = await import("../../../agents/reference.ts");
  const agents = await everyAgent(context.out.note);
  return resolveReference(reference ?? "@last", { ...context, agents });
}

/** What the agent says of itself; nothing on a terminal. */
async function givenState(): Promise<JsonObject> {
  // Most give it a file or a pipe they close at once: a stream would take longer than all the rest.
  if (isScreen(0)) return {};
  const read = readAtOnce();
  if (read.isWhole) return parseObject(read.text) ?? {};
  let { text } = read;
  for await (const chunk of process.stdin.setEncoding("utf8")) {
    text += chunk;
    if (text.length > limits.hookInputBytes) return {};
  }
  return parseObject(text) ?? {};
}

/** What can be read of standard input without a stream: all of it, unless it is a pipe that does not block. */
function readAtOnce(): { readonly text: string; readonly isWhole: boolean } {
  const buffer = Buffer.alloc(limits.hookInputBytes);
  let length = 0;
  const text = (): string => buffer.toString("utf8", 0, length);
  try {
    while (length < buffer.length) {
      const read = readSync(0, buffer, length, buffer.length - length, null);
      if (read === 0) return { text: text(), isWhole: true };
      length += read;
    }
    return { text: "", isWhole: true };
  } catch {
    return { text: text(), isWhole: false };
  }
}

function costIn(given: JsonObject): number | undefined {
  const cost = given["cost"];
  return isObject(cost) ? asNumber(cost["total_cost_usd"]) : undefined;
}
