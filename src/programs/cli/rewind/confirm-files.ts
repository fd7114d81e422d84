import type { RestorePlan } from "../../../snapshot/plan.ts";
import type { CommandContext, Invocation } from "../run/command.ts";
import { confirmPlan } from "../run/plan.ts";
import { safeLine } from "../terminal/terminal-text.ts";
import { planText, stepsJson } from "./plan-text.ts";

/** Shows what would happen to files; throws `needs_yes` if the user has not said yes. */
export async function confirmFiles(
  about: object,
  plan: RestorePlan,
  {
    title,
    invocation,
    context,
  }: {
    /** What the plan does, in a sentence. */
    readonly title: string;
    readonly invocation: Invocation;
    readonly context: CommandContext;
  },
): Promise<void> {
  const outside: ReadonlySet<string> = new Set();
  const { folder, left } = plan;
  const json = { ...about, files: { folder, steps: stepsJson(plan, outside), left } };
  await confirmPlan(
    { text: `${safeLine(title)}\n${planText(plan, { outside })}\n`, json },
    invocation,
    context,
  );
}
