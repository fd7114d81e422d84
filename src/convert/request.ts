import { statSync } from "node:fs";
import type { Agent } from "../agents/contract.ts";
import { agentMeant } from "../agents/known-agent.ts";
import type { NamedSession } from "../agents/reference.ts";
import type { Environment } from "../base/env.ts";
import { RepriseError } from "../base/errors.ts";
import type { ConvertRequest } from "./convert.ts";
import type { PathMapping } from "./path-map.ts";

/** Where a session shall go on, and how. */
export interface ConversionOptions {
  /** The name of the agent it is written for. */
  readonly to: string;
  /** The event to stop after, by its number or native id; that of the session named, else its end. */
  readonly at?: string | undefined;
  /** The folder in which it goes on; the session's own folder, mapped, if absent. */
  readonly cwd?: string | undefined;
  /** Folders that have other names here. */
  readonly mappings?: readonly PathMapping[];
  /** Keep the newest turns within this many tokens; the target model's window where it is known. */
  readonly budgetTokens?: number | undefined;
  /** The title of the new session. */
  readonly title?: string | undefined;
  /** Refuse with `conflict` where anything of the conversation would be lost. */
  readonly strict?: boolean | undefined;
  /** Write what a sealed session says where it can be read. */
  readonly unseal?: boolean | undefined;
}

/** The conversion that is asked for; `usage` where the target or the folder does not exist. */
export function conversionRequest(
  session: NamedSession,
  { to, at = session.event, cwd, ...rest }: ConversionOptions,
  on: { readonly agents: readonly Agent[]; readonly env: Environment },
): ConvertRequest {
  const { agent, ref, head } = session;
  if (cwd !== undefined) existingFolder(cwd);
  const target = targetNamed(to, on.agents);
  return { ...rest, source: { agent, ref, at }, head, target, env: on.env, cwd };
}

/** The folder, if it is one; `usage` where there is none. */
export function existingFolder(folder: string): string {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder;
  throw new RepriseError("usage", `There is no folder ${folder}.`);
}

/** The agent a name means; `usage` where there is none, `unsupported` where it cannot be written for. */
function targetNamed(name: string, agents: readonly Agent[]): Agent {
  const meant = agentMeant(
    name,
    agents.map((agent) => agent.name),
  );
  const target = agents.find((agent) => agent.name === meant);
  if (target?.writer !== undefined) return target;
  const writable = agents.filter(({ writer }) => writer !== undefined).map((agent) => agent.name);
  throw new RepriseError(
    target === undefined ? "usage" : "unsupported",
    target === undefined
      ? `There is no agent ${JSON.stringify(name)}.`
      : `Sessions cannot be written for ${target.title}.`,
    { hint: `Sessions can be written for: ${writable.join(", ")}.` },
  );
}
