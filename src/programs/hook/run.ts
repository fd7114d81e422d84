import { writeSync } from "node:fs";
import type { AgentHooks } from "../../agents/hooks-contract.ts";
import { loadHooks } from "../../agents/registry.ts";
import { uptimeMs } from "../../base/clock.ts";
import type { JsonObject } from "../../base/json.ts";
import { appendText } from "../../base/open-file.ts";
import { processEvent } from "../../bridge/process.ts";
import { logError } from "../../bridge/state/error-log.ts";
import { bridgeRoot } from "../../bridge/state/places.ts";
import { drainIsDue, startDrain } from "../../bridge/state/start-drain.ts";
import type { BridgeEvent } from "../../model/bridge-event.ts";
import { payloadOf, readInput } from "./input.ts";

/** Where a hook finds things. */
interface HookPlaces {
  /** The user's home folder. */
  readonly home: string;
  /** The program itself; `reprise` lies beside it. */
  readonly hookFile: string;
}

/** Takes one event of an agent; what goes wrong is written down and told to nobody. */
export async function runHook(argv: readonly string[], places: HookPlaces): Promise<void> {
  const [agent = "", given] = argv;
  const root = bridgeRoot(process.env, places.home);
  const beganMs = uptimeMs();
  try {
    const payload = given === undefined ? await readInput() : payloadOf(given);
    const hooks = await loadHooks(agent);
    if (hooks === undefined) throw new Error("no agent of this name");
    const event = eventOf(hooks, payload);
    const { output } = await processEvent(event, { root, hooks, beganMs, ownProcess: true });
    if (output !== "") writeSync(1, output);
    // Lets the commands of the session know which one they run in, where the agent offers a way.
    const note = hooks.sessionNote?.(event, process.env);
    if (note !== undefined) appendText(note.file, note.line);
    if (drainIsDue(event, root)) startDrain(root, places.hookFile);
  } catch (error) {
    logError(root, agent.replace(/[^a-z-]/g, "").slice(0, 32) || "unknown", error);
  }
}

function eventOf(hooks: AgentHooks, payload: JsonObject | undefined): BridgeEvent {
  if (payload === undefined) throw new Error("the input holds no JSON object");
  const event = hooks.toEvent(payload);
  if (event === undefined) throw new Error("the input names no session or no event");
  return event;
}
