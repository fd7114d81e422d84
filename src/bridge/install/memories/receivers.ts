import { join } from "node:path";
import { loadHooks } from "../../../agents/registry.ts";
import type { Environment } from "../../../base/env.ts";
import { bridgeRoot } from "../../state/places.ts";
import { readSettings } from "../../state/settings.ts";
import { installables } from "../installable.ts";
import { installedHooks } from "../status.ts";

/** Who is given memories unasked. */
export interface Receivers {
  /** Whether the user wants agents to be given any. */
  readonly isOn: boolean;
  /** The agents whose hooks call us in a folder, and give them to the model when a session starts. */
  readonly agents: readonly string[];
}

/** Who is given the memories of the folder of an environment unasked. */
export async function receiversOf(env: Environment): Promise<Receivers> {
  const { memories } = readSettings(join(bridgeRoot(env.variables, env.home), "settings.json"));
  const agents: string[] = [];
  for (const one of await installables()) {
    const injects = (await loadHooks(one.agent))?.injects ?? [];
    if (!injects.includes("session_start") && !injects.includes("prompt")) continue;
    const calls = (["user", "project"] as const).flatMap(
      (scope) => installedHooks(one, scope, env) ?? [],
    );
    if (calls.some(({ events, dead }) => events.length > 0 && dead.length === 0))
      agents.push(one.agent);
  }
  return { isOn: memories, agents };
}
