import { appendFileSync, writeSync } from "node:fs";
import { uptimeMs } from "../../base/clock.ts";
import type { JsonObject } from "../../base/json.ts";
import { hooksOf } from "../../bridge/hooks.ts";
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
    const event = eventOf(agent, payload);
    const { output } = processEvent(event, { root, beganMs, ownProcess: true });
    if (output !== "") writeSync(1, output);
    tellSession(event);
    if (drainIsDue(event, root)) startDrain(root, places.hookFile);
  } catch (error) {
    logError(root, agent.replace(/[^a-z-]/g, "").slice(0, 32) || "unknown", error);
  }
}

function eventOf(agent: string, payload: JsonObject | undefined): BridgeEvent {
  const hooks = hooksOf(agent);
  if (hooks === undefined) throw new Error("no agent of this name");
  if (payload === undefined) throw new Error("the input holds no JSON object");
  const event = hooks.toEvent(payload);
  if (event === undefined) throw new Error("the input names no session or no event");
  return event;
}

/** Lets the commands of the session know which one they run in, where the agent offers a way. */
function tellSession({ kind, session, agent }: BridgeEvent): void {
  const file = process.env["CLAUDE_ENV_FILE"];
  if (kind !== "session_start" || agent !== "claude-code" || file === undefined || file === "")
    return;
  if (!/^[A-Za-z0-9_-]{1,128}$/.test(session)) return;
  appendFileSync(file, `export REPRISE_SESSION='claude-code:${session}'\n`);
}
