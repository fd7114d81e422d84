import { publishNames } from "../../../agents/registry.ts";
import { RepriseError } from "../../../base/errors.ts";
import {
  type PublishPlan,
  planPublish,
  planUnpublish,
} from "../../../bridge/install/memories/publish.ts";
import type { LeftOutWhy } from "../../../memory/publish/publishable.ts";
import { homely } from "../render/path-text.ts";
import type { CommandContext, Invocation } from "../run/command.ts";
import { carryOut } from "../run/settings-plan.ts";
import { safeLine } from "../terminal/terminal-text.ts";
import { oneOf } from "./one-of.ts";
import { memoryOf } from "./wanted.ts";

/** Writes what the user stored or approved into the pages of agents, or takes it out again, after a plan. */
export async function publishMemories(
  invocation: Invocation,
  context: CommandContext,
): Promise<void> {
  const { flags } = invocation;
  const to = flags.texts("to").map((name) => oneOf("to", name, publishNames));
  if (to.length === 0)
    throw new RepriseError("usage", "Type `reprise memory publish --to <place>`.", {
      hint: `Places are ${publishNames.join(", ")}.`,
    });
  if (flags.text("namespace") !== undefined)
    throw new RepriseError("usage", "Only memories of this project or of the user are published.", {
      hint: "Leave --namespace out, or use --project or --user.",
    });
  const memory = memoryOf(invocation, context);
  const scope = flags.isSet("user") ? "user" : "project";
  const isRemoval = flags.isSet("remove");
  const options = { to, scope, env: context.env, memory } as const;
  const plans = isRemoval ? await planUnpublish(options) : await planPublish(options);
  memory.close();
  if (!context.json && !isRemoval)
    for (const plan of plans) context.out.note(planNote(plan, context));
  await carryOut(
    {
      changes: plans.flatMap(({ changes }) => changes),
      remarks: [],
      nothing: isRemoval ? "Nothing of ours is published there." : nothing(plans),
      json: { places: plans.map(placeJson) },
    },
    invocation,
    context,
  );
}

function nothing(plans: readonly PublishPlan[]): string {
  return plans.some(({ published }) => published.length > 0)
    ? "It is published already."
    : "There is nothing to publish. `reprise memory inbox` shows what waits for you.";
}

const reasons: Readonly<Record<LeftOutWhy, string>> = {
  private: "private",
  stale: "stale: the evidence changed",
  superseded: "replaced by a newer one",
  secret: "looks like a secret",
  there: "known there already",
  room: "no room",
};

function planNote(
  { file, names, published, leftOut }: PublishPlan,
  { env }: CommandContext,
): string {
  const left = Object.entries(reasons).flatMap(([why, says]) => {
    const keys = leftOut.flatMap((one) => (one.why === why ? [safeLine(one.entry.key)] : []));
    const more = keys.length > 3 ? `, and ${keys.length - 3} more` : "";
    return keys.length === 0 ? [] : [`${says}: ${keys.slice(0, 3).join(", ")}${more}`];
  });
  const said = `${names.join(", ")}: ${published.length} ${published.length === 1 ? "memory" : "memories"} in ${safeLine(homely(file, env))}.`;
  return left.length === 0 ? said : `${said} Left out (${left.join("; ")}).`;
}

function placeJson({ names, file, published, leftOut }: PublishPlan): object {
  return {
    to: names,
    file,
    published: published.map(({ id }) => id),
    leftOut: leftOut.map(({ entry: { id, key }, why }) => ({ id, key, why })),
  };
}
