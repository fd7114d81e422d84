import { join, resolve } from "node:path";
import { exists } from "../../../base/disk.ts";
import { RepriseError } from "../../../base/errors.ts";
import { type MemoryRestore, restoreMemories } from "../../../memory/backup/restore.ts";
import { ownAgent } from "../../../store/own-agent.ts";
import { memoriesName } from "../../../vault/backup/listing.ts";
import { planRestore, type RestorePlan } from "../../../vault/backup/plan.ts";
import { restoreSessions } from "../../../vault/backup/restore.ts";
import { tallied } from "../../../vault/backup/tally.ts";
import { flatSettings } from "../config/settings.ts";
import { count } from "../render/count.ts";
import { homely } from "../render/path-text.ts";
import { sizeText } from "../render/size.ts";
import type { Command, CommandContext } from "../run/command.ts";
import { confirmPlan, yesFlag } from "../run/plan.ts";
import { progress } from "../terminal/progress.ts";
import { safeLine } from "../terminal/terminal-text.ts";
import { sharesText } from "./backup.ts";

/** `reprise restore`: puts a backup back where agents look for their sessions. */
export const restore: Command = {
  name: "restore",
  summary: "bring a backup back, on this machine or a new one",
  details: `Sessions go to the places where their agents look for them, with their times; copies stay marked as copies. Nothing that is here is overwritten: a
session that is here with other content stays as it is, and so do titles, tags and newer memories. Every copy is compared with
the checksum of the backup. \`reprise undo\` removes the restored sessions, titles and tags, but not the memories. If a project
is in another folder now, continue its sessions with \`reprise resume <ref> --map <old>=<new>\`. To go back to a checkpoint of a
project, use \`reprise rewind\`.`,
  args: [{ name: "<folder>", says: "a folder that `reprise backup` made" }],
  flags: [yesFlag],
  examples: [
    { line: "reprise restore ~/reprise-backup", says: "show what would come back" },
    { line: "reprise restore ~/reprise-backup --yes", says: "bring it back" },
  ],
  json: `{ backup: string, createdAt: string, done: boolean, marks: number, copies: number, memories: number, settings: { key: string, value: unknown }[],
  sessions: { agent: string, session: string, action: "add" | "same" | "leave", files: number, sizeBytes: number, why?: string }[],
  entry?: number }`,
  changes: ({ flags }) => flags.isSet("yes"),
  run: async (invocation, context) => {
    const { env, out } = context;
    const path = resolve(context.folder, invocation.args[0] ?? "");
    const looked = progress(context, { verb: "Compared", toFile: true, amount: sizeText });
    const plan = await planRestore(path, context, { onRead: looked.add }).finally(looked.end);
    const file = join(path, memoriesName);
    const hasMemories = exists(file);
    const memories = hasMemories ? await restoreMemories(file, { env }) : undefined;
    const json = planJson(plan, memories);
    const isAny =
      plan.marks.length + plan.copies.length + (memories?.restored ?? 0) > 0 ||
      json.sessions.some(({ action }) => action === "add");
    if (isAny) {
      const text = `Restore from ${safeLine(homely(path, env))}:\n${planText(plan, memories)}`;
      await confirmPlan({ text, json }, invocation, context);
      const told = progress(context, { verb: "Restored", toFile: true, amount: sizeText });
      const entry = await restoreSessions(plan, context, told.add).finally(told.end);
      if (hasMemories) await restoreMemories(file, { env, apply: true });
      if (context.json) await out.writeJson({ ...json, done: true, entry });
      else await tellDone(plan, memories, context);
    } else if (context.json) await out.writeJson({ ...json, done: true });
    else await out.write(`Nothing has to come back.\n${planText(plan, memories)}`);
    const damaged = plan.sessions.filter(({ why = "" }) => /damaged|missing/.test(why)).length;
    if (damaged === 0) return;
    throw new RepriseError(
      "damaged",
      `${count(damaged, "session")} of the backup cannot be restored.`,
      {
        hint: "Their copies are damaged or missing. The others are not concerned.",
      },
    );
  },
};

async function tellDone(
  plan: RestorePlan,
  memories: MemoryRestore | undefined,
  { out }: CommandContext,
): Promise<void> {
  await out.write(`Restored:\n${planText(plan, memories)}`);
  out.note(
    "See them with `reprise list`; `reprise undo` removes them again, but not the memories.",
  );
  out.note("If a project is in another folder now: `reprise resume <ref> --map <old>=<new>`.");
}

/** The sessions of every agent in one form, those of Reprise's own store as well; subagents are counted with their parents. */
function sessionsOf({ sessions, own }: RestorePlan) {
  const ofAgents = sessions.map(({ agent, session, action, why, files, isSubagent }) => ({
    ...{ agent, session, action, isSubagent, files: files.length, ...(why && { why }) },
    sizeBytes: files.reduce((sum, { print }) => sum + print.sizeBytes, 0),
  }));
  const ofStore = own.map(({ session, action, why }) => ({
    agent: ownAgent,
    session: session.session,
    action: action === "copy" ? ("add" as const) : action,
    isSubagent: session.isHidden,
    files: 1,
    sizeBytes: session.sizeBytes,
    ...(why && { why }),
  }));
  return [...ofAgents, ...ofStore];
}

function planJson(plan: RestorePlan, memories: MemoryRestore | undefined) {
  const { backup, createdAt, marks, copies, settings } = plan;
  return {
    ...{ backup, createdAt, marks: marks.length, copies: copies.length },
    memories: memories?.restored ?? 0,
    settings: flatSettings(settings).map(([key, value]) => ({ key, value })),
    sessions: sessionsOf(plan).map(({ isSubagent: _, ...session }) => session),
  };
}

function planText(plan: RestorePlan, memories: MemoryRestore | undefined): string {
  const all = sessionsOf(plan).map(({ isSubagent, ...one }) => ({
    ...one,
    sessions: isSubagent ? 0 : 1,
  }));
  const added = all.filter(({ action }) => action === "add");
  const shares = tallied(added);
  const bytes = added.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const sum = (some: readonly { readonly sessions: number }[]): number =>
    some.reduce((total, { sessions }) => total + sessions, 0);
  const same = sum(all.filter(({ action }) => action === "same"));
  const left = tallied(all.filter(({ action }) => action === "leave"));
  const remembered = memories?.restored ?? 0;
  const lines = [
    added.length > 0 &&
      `${count(sum(shares), "session")} (${sizeText(bytes)})${sharesText(shares)}`,
    remembered > 0 && (remembered === 1 ? "1 memory" : `${remembered} memories`),
    plan.marks.length > 0 && `titles, tags or pins of ${count(plan.marks.length, "session")}`,
    plan.copies.length > 0 && `which session is a copy of which: ${plan.copies.length}`,
    same > 0 &&
      `${count(same, "session")} here already: left as ${same === 1 ? "it is" : "they are"}`,
    ...left.map(
      ({ agent, sessions, why = "" }) =>
        `${count(sessions, "session")} of ${safeLine(agent)} left out: ${safeLine(why)}`,
    ),
    ...flatSettings(plan.settings).map(
      ([key, value]) =>
        `a setting, which you can set again: reprise config set ${safeLine(key)} ${safeLine(String(value))}`,
    ),
  ];
  return lines.flatMap((line) => (line === false ? [] : [`  ${line}\n`])).join("");
}
