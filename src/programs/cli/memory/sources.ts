import { isAbsolute, relative } from "node:path";
import { memoryNames } from "../../../agents/registry.ts";
import { withoutSecrets } from "../../../bridge/ledger/secrets.ts";
import type { Origin } from "../../../memory/agents/origin.ts";
import { proposeSources } from "../../../memory/agents/propose-sources.ts";
import {
  type AgentSource,
  agentSources,
  type SourcesWanted,
} from "../../../memory/agents/sources.ts";
import { count } from "../render/count.ts";
import type { CommandContext, Invocation } from "../run/command.ts";
import { safeLine } from "../terminal/terminal-text.ts";
import { oneOf } from "./one-of.ts";
import { entryLine, valueText } from "./text.ts";
import { memoryOf, sameMemories } from "./wanted.ts";

/** Lists what agents keep themselves about this project and for the user, with where it stands. */
export async function listSources(invocation: Invocation, context: CommandContext): Promise<void> {
  const memory = memoryOf(invocation, context);
  const sources = await agentSources(memory, wantedOf(invocation, context));
  const { flags } = invocation;
  const [offset, limit] = [flags.number("offset") ?? 0, flags.number("limit") ?? 100];
  const shown = sources.slice(offset, offset + limit);
  if (context.json)
    return context.out.writeJson({
      sources: shown.map(({ print: _print, ...source }) => source),
      total: sources.length,
    });
  if (sources.length === 0) {
    await context.out.write("No agent keeps memories here.\n");
    return;
  }
  const more = sources.length - offset - shown.length;
  await context.out.write(
    shown.map((source) => sourceText(source, context)).join("") +
      (more > 0 ? `${more} more; --limit and --offset show them.\n` : "") +
      `Put them into the inbox with \`reprise memory propose --from-agents${sameMemories(invocation)}\`.\n`,
  );
}

/** Puts what agents keep themselves into the inbox: what is for the project, or with `--user` what is for the user. */
export async function proposeFromAgents(
  invocation: Invocation,
  context: CommandContext,
): Promise<void> {
  const scopes = [invocation.flags.isSet("user") ? "user" : "project"] as const;
  const { added, known } = await proposeSources(memoryOf(invocation, context), {
    ...wantedOf(invocation, context),
    scopes,
    masked: withoutSecrets,
  });
  if (context.json) return context.out.writeJson({ proposed: added, known });
  const next =
    added.length === 0 ? "" : `Decide with \`reprise memory inbox${sameMemories(invocation)}\`.\n`;
  await context.out.write(
    `${count(added.length + known, "note")} of agents read; proposed ${added.length}, known already ${known}.\n${added.map((entry) => entryLine(entry)).join("")}${next}`,
  );
}

function wantedOf({ flags }: Invocation, { env }: CommandContext): SourcesWanted {
  const agent = flags.text("agent");
  return {
    env,
    ...(agent !== undefined && { agents: [oneOf("agent", agent, memoryNames)] }),
    ...(flags.isSet("user") && { scopes: ["user"] }),
  };
}

const longest = 300;

function sourceText({ text, origins, known }: AgentSource, context: CommandContext): string {
  const { colours } = context;
  const [first, ...others] = origins.map((origin) => originText(origin, context));
  const marks = [
    ...(known === undefined ? [] : [known]),
    ...(others.length === 0 ? [] : [`also ${others.join(", ")}`]),
  ];
  const note = marks.length === 0 ? "" : `  [${marks.join("; ")}]`;
  const said = valueText(text);
  const short = said.length > longest ? `${said.slice(0, longest - 1)}…` : said;
  return `${colours.cyan(first!)}${colours.dim(note)}\n  "${short}"\n`;
}

function originText({ agent, path, line, heading }: Origin, { env }: CommandContext): string {
  const near = relative(env.cwd, path);
  const shown = near.startsWith("..") || isAbsolute(near) ? path : near;
  const place = line === undefined ? shown : `${shown}:${line}`;
  return safeLine(`${agent}  ${place}${heading === undefined ? "" : `  ${heading}`}`);
}
