import { loadHooks } from "../agents/registry.ts";
import { processEnvironment } from "../base/env.ts";
import type { BridgeEvent } from "../model/bridge-event.ts";
import { type Processed, processEvent } from "./process.ts";
import { bridgeRoot } from "./state/places.ts";

/** The hook bridge for programs that call it themselves instead of starting a hook. */
export const bridge = {
  /** Takes one event: writes its line, and returns what the model is given and how full its context is. */
  async process(event: BridgeEvent, options: { readonly root?: string } = {}): Promise<Processed> {
    const { variables, home } = processEnvironment();
    const hooks = await loadHooks(event.agent);
    return processEvent(event, { root: options.root ?? bridgeRoot(variables, home), hooks });
  },
} as const;
