import { appendFileSync, writeSync } from "node:fs";
import { loadHooks } from "../../agents/registry.ts";
import { uptimeMs } from "../../base/clock.ts";
import { processEvent } from "../../bridge/process.ts";
import { logError } from "../../bridge/state/error-log.ts";
import { bridgeRoot } from "../../bridge/state/places.ts";
import { drainIsDue, startDrain } from "../../bridge/state/start-drain.ts";
import { payloadOf, readInput } from "./input.ts";

/*
 * `reprise-hook <agent> [payload]`: one event of an agent, read from standard input or the argument.
 * Whatever happens it exits 0 (P9): an agent takes any other number for a refusal, or stops.
 */
const beganMs = uptimeMs();
const agent = process.argv[2] ?? "";
const root = bridgeRoot(process.env, process.env["HOME"] ?? process.env["USERPROFILE"] ?? "/");

// Whatever goes wrong, also in what is loaded or waited for, ends here.
void take()
  .catch((error: unknown) => {
    logError(root, agent.replace(/[^a-z-]/g, "").slice(0, 32) || "unknown", error);
  })
  .finally(() => process.exit(0));

async function take(): Promise<void> {
  const given = process.argv[3];
  const payload = given === undefined ? readInput() : payloadOf(given);
  const hooks = await loadHooks(agent);
  if (hooks === undefined) throw new Error("no agent of this name");
  if (payload === undefined) throw new Error("the input holds no JSON object");
  const event = hooks.toEvent(payload);
  if (event === undefined) throw new Error("the input names no session or no event");
  const { output } = processEvent(event, { root, hooks, beganMs, ownProcess: true });
  if (output !== "") writeSync(1, output);
  // Lets the commands of the session know which one they run in, where the agent offers a way.
  const note = hooks.sessionNote?.(event, process.env);
  if (note !== undefined) appendFileSync(note.file, note.line);
  if (drainIsDue(event, root)) startDrain(root, __filename);
}
