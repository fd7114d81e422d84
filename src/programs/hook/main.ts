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

/*
 * `reprise-hook <agent> [payload]`: one event of an agent, read from standard input or the argument.
 * Whatever happens it exits 0 (P9): an agent takes any other number for a refusal, or stops.
 */
const beganMs = uptimeMs();
const agent = process.argv[2] ?? "";
const root = bridgeRoot(process.env, process.env["HOME"] ?? process.env["USERPROFILE"] ?? "/");

try {
  const given = process.argv[3];
  take(given === undefined ? readInput() : payloadOf(given));
} catch (error) {
  logError(root, agent.replace(/[^a-z-]/g, "").slice(0, 32) || "unknown", error);
}
process.exit(0);

function take(payload: JsonObject | undefined): void {
  const hooks = hooksOf(agent);
  if (hooks === undefined) throw new Error("no agent of this name");
  if (payload === undefined) throw new Error("the input holds no JSON object");
  const event = hooks.toEvent(payload);
  if (event === undefined) throw new Error("the input names no session or no event");
  const { output } = processEvent(event, { root, beganMs, ownProcess: true });
  if (output !== "") writeSync(1, output);
  tellSession(event);
  if (drainIsDue(event, root)) startDrain(root, __filename);
}

/** Lets the commands of the session know which one they run in, where the agent offers a way. */
function tellSession({ kind, session }: BridgeEvent): void {
  const file = process.env["CLAUDE_ENV_FILE"];
  if (kind !== "session_start" || agent !== "claude-code" || file === undefined || file === "")
    return;
  if (!/^[A-Za-z0-9_-]{1,128}$/.test(session)) return;
  appendFileSync(file, `export REPRISE_SESSION='claude-code:${session}'\n`);
}
