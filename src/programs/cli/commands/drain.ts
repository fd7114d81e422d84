import { drain } from "../../../bridge/state/drain.ts";
import { bridgeRoot } from "../../../bridge/state/places.ts";
import type { Command } from "../run/command.ts";

/** `reprise drain`: does the slow work that hooks leave undone. */
export const drainCommand: Command = {
  name: "drain",
  summary: "do what hooks left undone",
  details: `Compares what hooks counted with the transcripts, which win: an agent that was killed told its hooks
nothing. Sessions without events for a day are archived. Hooks start it by themselves now and then.`,
  args: [],
  flags: [
    {
      flags: "--background",
      says: "leave sessions alone that may still go on",
      kind: "switch",
    },
  ],
  examples: [{ line: "reprise drain", says: "after an agent was killed" }],
  json: `{ sessions: number, reconciled: { agent: string, session: string }[], archived: number,
  failed: number, busy: boolean }`,
  run: async ({ flags }, context) => {
    const { env, agents, nowMs } = context;
    const root = bridgeRoot(env.variables, env.home);
    const background = flags.isSet("background");
    const done = await drain({ root, env, agents, nowMs, background });
    if (context.json) return context.out.writeJson(done);
    if (done.busy) return context.out.write("Another drain is at work.\n");
    const { sessions, reconciled, archived, failed } = done;
    await context.out.write(
      `${counted(sessions, "session")}: ${reconciled.length} compared with their transcripts, ${archived} archived${failed === 0 ? "" : `, ${failed} could not be read`}.\n`,
    );
  },
};

function counted(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}
