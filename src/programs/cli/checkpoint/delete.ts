import { RepriseError } from "../../../base/errors.ts";
import { forgetCheckpoints } from "../../../snapshot/checkpoint.ts";
import { tidyCheckpoints } from "../../../snapshot/keeping/tidy.ts";
import { checkpointLines } from "../render/checkpoint-text.ts";
import { count } from "../render/count.ts";
import { sizeText } from "../render/size.ts";
import type { CommandContext, Invocation } from "../run/command.ts";
import { confirmPlan } from "../run/plan.ts";
import { homeOf } from "../sessions/native.ts";
import { namedCheckpoint, wantedFolder } from "./wanted.ts";

/** Deletes checkpoints, and the content that no other needs. */
export async function deleteCheckpoints(
  invocation: Invocation,
  context: CommandContext,
): Promise<void> {
  const names = invocation.args.slice(1);
  if (names.length === 0) {
    throw new RepriseError("usage", "No checkpoint was named.", {
      hint: "Name their numbers or labels: `reprise checkpoint delete 12 15`.",
    });
  }
  const found = [];
  for (const name of names)
    found.push((await namedCheckpoint(name, invocation, context)).checkpoint);
  const wanted = [...new Map(found.map((one) => [one.number, one])).values()];
  const numbers = wanted.map(({ number }) => number);
  const text = `Would delete ${count(wanted.length, "checkpoint")}; this cannot be undone:\n${checkpointLines(wanted, { ...context, here: wantedFolder(invocation, context) })}`;
  await confirmPlan({ text, json: { numbers } }, invocation, context);
  const home = homeOf(context);
  forgetCheckpoints(home, numbers, "deleted");
  const { collection } = tidyCheckpoints(home);
  const freedBytes = collection?.freedBytes;
  if (context.json) {
    return context.out.writeJson({
      numbers,
      done: true,
      ...(freedBytes !== undefined && { freedBytes }),
    });
  }
  const freed =
    freedBytes === undefined
      ? "their content is deleted when no other process takes a checkpoint"
      : `${sizeText(freedBytes)} freed`;
  context.out.note(`Deleted ${count(wanted.length, "checkpoint")}, ${freed}.`);
}
