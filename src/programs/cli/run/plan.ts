import { RepriseError } from "../../../base/errors.ts";
import type { CommandContext, Invocation } from "./command.ts";

/** The flag that turns a plan into a deed; one word everywhere. */
export const yesFlag = {
  flags: "--yes",
  says: "do it; without --yes the plan is shown",
  kind: "switch",
} as const;

/** Shows what would be done; throws `needs_yes` if the user has not said yes. */
export async function confirmPlan(
  plan: {
    readonly text: string;
    readonly json: object;
    /** It is a warning that stands in the way of what was asked for, and no plan that was wanted. */
    readonly refused?: true;
  },
  invocation: Invocation,
  context: CommandContext,
): Promise<void> {
  if (invocation.flags.isSet("yes")) return;
  if (context.json) await context.out.writeJson({ ...plan.json, done: false });
  else await context.out.write(plan.text);
  throw new RepriseError("needs_yes", "Nothing was done yet.", {
    details: plan.refused === true ? {} : { plan: true },
  });
}
