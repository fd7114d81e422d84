import { writeSync } from "node:fs";
import { dirname } from "node:path";
import type { AgentHooks } from "../../agents/hooks-contract.ts";
import { loadHooks } from "../../agents/registry.ts";
import { uptimeMs } from "../../base/clock.ts";
import type { JsonObject } from "../../base/json.ts";
import { appendText } from "../../base/open-file.ts";
import { type Processed, processEvent } from "../../bridge/process.ts";
import { logError } from "../../bridge/state/error-log.ts";
import { bridgeRoot } from "../../bridge/state/places.ts";
import { startLate } from "../../bridge/state/start-drain.ts";
import type { BridgeEvent } from "../../model/bridge-event.ts";
import { homeAt } from "../../store/home.ts";
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
    const done = await processEvent(event, { root, hooks, beganMs, ownProcess: true });
    if (done.output !== "") writeSync(1, done.output);
    // Lets the commands of the session know which one they run in, where the agent offers a way.
    const note = hooks.sessionNote?.(event, process.env);
    if (note !== undefined) appendText(note.file, note.line);
    let isFull = false;
    const onFull = (): void => {
      isFull = true;
    };
    if (done.checkpoint !== undefined)
      await checkpoint(event, done, { root, home: places.home, onFull });
    startLate(event, { root, hookFile: places.hookFile, isFull });
  } catch (error) {
    logError(root, agent.replace(/[^a-z-]/g, "").slice(0, 32) || "unknown", error);
  }
}

/** Loaded only here: most events ask for none. */
async function checkpoint(
  event: BridgeEvent,
  { checkpoint: wanted, metrics }: Processed,
  { root, home, onFull }: { readonly root: string; readonly home: string; onFull(): void },
): Promise<void> {
  if (wanted === undefined) return;
  const deadlineMs = Date.now() + wanted.ms;
  const { takeCheckpoint } = await import("../../bridge/checkpoint/take.ts");
  const tokens = metrics.contextFrom === "estimate" ? {} : { tokens: metrics.contextTokens };
  takeCheckpoint(event, wanted, {
    home: homeAt(dirname(root)),
    userHome: home,
    deadlineMs,
    onFull,
    ...tokens,
  });
}

function eventOf(hooks: AgentHooks, payload: JsonObject | undefined): BridgeEvent {
  if (payload === undefined) throw new Error("the input holds no JSON object");
  const event = hooks.toEvent(payload);
  if (event === undefined) throw new Error("the input names no session or no event");
  return event;
}
