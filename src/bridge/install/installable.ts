import type { AgentInstall } from "../../agents/hooks-contract.ts";
import { hookedNames, loadHooks } from "../../agents/registry.ts";

/** An agent, and what is put into its folders. */
export interface Installable {
  readonly agent: string;
  readonly install: AgentInstall;
}

/** Every agent that can call us, in the order of the registry. */
export async function installables(): Promise<readonly Installable[]> {
  const hooks = await Promise.all(hookedNames.map(loadHooks));
  return Promise.all(
    hooks.flatMap((one) =>
      one === undefined ? [] : [one.install().then((install) => ({ agent: one.agent, install }))],
    ),
  );
}
