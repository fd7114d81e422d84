import { recordForgotten } from "../../../memory/change-entry.ts";
import { memoryTypes } from "../../../memory/entry.ts";
import { count } from "../render/count.ts";
import type { CommandContext, Invocation } from "../run/command.ts";
import { confirmPlan } from "../run/plan.ts";
import { backupsElsewhere } from "./backup.ts";
import { oneOf } from "./one-of.ts";
import { memoryOf, typeOf } from "./wanted.ts";
import { withdrawalOf } from "./withdrawal.ts";

/** Removes what expired, what is there twice and what nobody uses, after a plan; can write the log anew. */
export async function cleanMemory(invocation: Invocation, context: CommandContext): Promise<void> {
  const { flags } = invocation;
  const memory = memoryOf(invocation, context);
  const [days, versions] = [flags.number("archiveDays"), flags.number("keepVersions")];
  const type = typeOf(flags);
  const options = {
    duplicates: flags.isSet("duplicates"),
    compress: flags.isSet("compress") || versions !== undefined,
    ...(versions !== undefined && { keepVersions: versions }),
    ...(days !== undefined && { archiveDays: days }),
    ...(type !== undefined && { types: [type] }),
  };
  const plan = await memory.clean(options);
  const { compress } = plan;
  const spared =
    compress === undefined
      ? ""
      : `; the log is rewritten without ${count(compress.versions, "old version")} and ${count(compress.looks, "note")} of looks, ${count(compress.values, "value")} compressed`;
  const says = `${plan.expired.length} expired and ${plan.duplicates.length} duplicate entries are forgotten, ${plan.archive.length} archived${spared}`;
  // What duplicates say is still known, and may stand there under another name.
  const pages = await withdrawalOf(memory, { ids: plan.expired });
  const { withdrawn, left } = pages;
  const json = { ...plan, withdrawn, left };
  await confirmPlan({ text: `${says}.\n${pages.plan}`, json }, invocation, context);
  pages.apply();
  await memory.clean({ ...options, apply: true });
  recordForgotten(memory.home, [...new Set([...plan.expired, ...plan.duplicates])]);
  if (context.json) return context.out.writeJson({ ...json, done: true });
  await context.out.write(`Done: ${says}.\n${pages.done}`);
}

/** Forgets every memory of some types, or all of the namespace, after a plan. */
export async function resetMemory(invocation: Invocation, context: CommandContext): Promise<void> {
  const memory = memoryOf(invocation, context);
  const types = invocation.flags.texts("type").map((word) => oneOf("type", word, memoryTypes));
  const which = types.length === 0 ? {} : { types };
  const forget = await memory.reset(which);
  const kind = types.length === 0 ? "" : ` of type ${types.join(", ")}`;
  const says = `${forget.length} memories${kind} of ${memory.namespace.name}`;
  const pages = await withdrawalOf(memory, { ids: forget });
  const { withdrawn, left } = pages;
  const text = `Forget for good, every version, also in Reprise's own backups; this cannot be undone: ${says}.\n${pages.plan}${backupsElsewhere}`;
  await confirmPlan({ text, json: { forget, withdrawn, left } }, invocation, context);
  pages.apply();
  await memory.reset({ ...which, apply: true });
  recordForgotten(memory.home, forget);
  if (context.json)
    return context.out.writeJson({ forgotten: forget, withdrawn, left, done: true });
  await context.out.write(`Forgotten: ${says}.\n${pages.done}${backupsElsewhere}`);
}
