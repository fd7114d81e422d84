import { processEnvironment } from "../base/env.ts";
import type { BridgeEvent } from "../model/bridge-event.ts";
import { type Processed, processEvent } from "./process.ts";
import { bridgeRoot } from "./state/places.ts";

/** The hook bridge for programs that call it themselves instead of starting a hook. */
export const bridge = {
  /** Takes one event: writes its line, and returns what the model is given and how full its context is. */
  process(event: BridgeEvent, options: { readonly root?: string } = {}): Processed {
    const { variables, home } = processEnvironment();
    return processEvent(event, { root: options.root ?? bridgeRoot(variables, home) });
  },
} as const;
