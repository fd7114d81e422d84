import { isWithin } from "../../../base/within.ts";
import type { SettingsChange } from "../../../bridge/install/install.ts";
import { applyChanges } from "../../../bridge/install/installed.ts";
import { count } from "../render/count.ts";
import { homely } from "../render/path-text.ts";
import { changeDiff } from "../render/settings-diff.ts";
import { homeOf } from "../sessions/native.ts";
import { safeLine } from "../terminal/terminal-text.ts";
import type { CommandContext, Invocation } from "./command.ts";
import { confirmPlan } from "./plan.ts";

/** Shows the changes of settings that are planned and, once the user has said yes, makes them. */
export async function carryOut(
  plan: {
    readonly changes: readonly SettingsChange[];
    readonly remarks: readonly string[];
    readonly nothing: string;
    /** What else there is to say as JSON. */
    readonly json?: object;
  },
  invocation: Invocation,
  context: CommandContext,
): Promise<void> {
  const { changes, remarks } = plan;
  const told = {
    changes: changes.map(({ agent, file, before, after }) => {
      const text = isOurs(file, context) && after !== undefined ? { text: after } : {};
      return { agent, file, new: before === undefined, removed: after === undefined, ...text };
    }),
    remarks,
    ...plan.json,
  };
  if (changes.length === 0) {
    if (context.json) return context.out.writeJson({ ...told, done: true, entries: [] });
    return context.out.write(`${plan.nothing}\n`);
  }
  const text = planText(changes, context);
  await confirmPlan({ text, json: told }, invocation, context);
  const home = homeOf(context);
  const entries = applyChanges(home, changes);
  if (context.json) return context.out.writeJson({ ...told, done: true, entries });
  for (const change of changes) await context.out.write(`${doneText(change, context)}\n`);
  for (const remark of remarks) context.out.note(remark);
  context.out.note("Agents that are running notice it when they are started again.");
}

/** What was done to a file. One of the user's goes only when nothing else was in it, and that is said. */
function doneText({ file, before, after }: SettingsChange, context: CommandContext): string {
  const name = safeLine(homely(file, context.env));
  if (after !== undefined) return `${before === undefined ? "Made" : "Changed"} ${name}`;
  return isOurs(file, context) ? `Removed ${name}` : `Removed ${name}: nothing else was in it.`;
}

/** Which files change, then how; of a file of Reprise's own, which nobody edits, `--json` has the text. */
function planText(changes: readonly SettingsChange[], context: CommandContext): string {
  const rows = changes.map(({ file, before, after }) => {
    const does = after === undefined ? "remove" : before === undefined ? "make" : "change";
    const more =
      isOurs(file, context) && after !== undefined ? ", Reprise's own; --json has its text" : "";
    return `  ${does} ${safeLine(homely(file, context.env))}${more}\n`;
  });
  const shown = changes.filter(({ file }) => !isOurs(file, context));
  const diffs = shown.map((change) => changeDiff(change, context));
  return `${count(changes.length, "file")}:\n${rows.join("")}\n${diffs.join("\n")}`;
}

function isOurs(file: string, context: CommandContext): boolean {
  return isWithin(file, homeOf(context).root);
}
