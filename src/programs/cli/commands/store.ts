import { RepriseError } from "../../../base/errors.ts";
import {
  type Copied,
  copySession,
  isOfOneSession,
  type PlannedCopy,
  planCopy,
} from "../../../store/copy/copy.ts";
import { openRaw } from "../../../store/copy/open-raw.ts";
import type { RawStore } from "../../../store/copy/raw-store.ts";
import { count } from "../render/count.ts";
import { sizeText } from "../render/size.ts";
import type { Command, CommandContext } from "../run/command.ts";
import { confirmPlan, yesFlag } from "../run/plan.ts";
import { progress } from "../terminal/progress.ts";
import { safeLine } from "../terminal/terminal-text.ts";

interface Left {
  readonly session: string;
  readonly why: string;
}

/** `reprise store`: copies sessions between stores, byte by byte. */
export const store: Command = {
  name: "store",
  summary: "copy sessions between a folder and an SQLite database",
  details: `A store is a folder of session files, a home of Reprise, or a database (a new one is named .db, .sqlite or .sqlite3).
Sessions are copied with their large content and the sessions they were forked from; every copy is read back and compared.
Sessions that exist already are not changed, and nothing is removed. Without --yes the plan is shown. Sessions of other agents are
not in a store: \`reprise backup <folder>\` copies those too.`,
  args: [
    { name: "<action>", says: "copy" },
    { name: "<from>", says: "the store to copy from" },
    { name: "<to>", says: "the store to copy to; made if it is not there" },
    { name: "[session...]", says: "the ids to copy; all sessions if none is given" },
  ],
  flags: [yesFlag],
  examples: [
    { line: "reprise store copy ~/.reprise sessions.db", says: "show what would be copied" },
    { line: "reprise store copy sessions.db ./sessions --yes", says: "copy it back into files" },
  ],
  json: `{ from: string, to: string, done: boolean,
  sessions: { session: string, action: "copy" | "same" | "leave", sizeBytes: number, why?: string }[],
  copied?: { session: string, sizeBytes: number, blobs: number, missingBlobs: number }[],
  left?: { session: string, why: string }[] }`,
  withoutAgents: true,
  changes: ({ flags }) => flags.isSet("yes"),
  run: async (invocation, context) => {
    const [action, fromPath = "", toPath = "", ...ids] = invocation.args;
    if (action !== "copy") {
      throw new RepriseError("usage", `\`reprise store\` cannot ${safeLine(String(action))}.`, {
        hint: "Use `reprise store copy <from> <to>`.",
      });
    }
    const { env } = context;
    const isMade = invocation.flags.isSet("yes");
    const from = openRaw(fromPath, { env, mustExist: true });
    let to: RawStore | undefined;
    try {
      // A plan makes nothing, not even an empty database.
      to = openTarget(toPath, context, isMade);
      const plan = planCopy(from, to ?? nothingAt(toPath), ids);
      const json = { from: from.place, to: to?.place ?? toPath, sessions: plan.map(planned) };
      await confirmPlan({ text: planText(plan), json }, invocation, context);
      const { copied, left } = copyAll(plan, { from, to: to! }, context);
      if (context.json) await context.out.writeJson({ ...json, done: true, copied, left });
      else tell(copied, left, context);
      if (left.length === 0) return;
      throw new RepriseError("failed", `${count(left.length, "session")} could not be copied.`, {
        hint: "The others were copied. The source is as it was.",
      });
    } finally {
      from.close();
      to?.close();
    }
  },
};

function openTarget(path: string, { env }: CommandContext, isMade: boolean): RawStore | undefined {
  try {
    return openRaw(path, { env, mustExist: !isMade });
  } catch (error) {
    if (!isMade && error instanceof RepriseError && error.code === "not_found") return undefined;
    throw error;
  }
}

/** A store that is yet to be made. */
function nothingAt(place: string): RawStore {
  const nothing = () => undefined;
  return { place, list: () => [], find: nothing, blob: nothing, add: nothing, close: nothing };
}

function planned({ session, action, why }: PlannedCopy) {
  const { session: id, sizeBytes } = session;
  return { session: id, action, sizeBytes, ...(why !== undefined && { why }) };
}

function copyAll(
  plan: readonly PlannedCopy[],
  { from, to }: { readonly from: RawStore; readonly to: RawStore },
  context: CommandContext,
): { readonly copied: readonly Copied[]; readonly left: readonly Left[] } {
  const told = progress(context, { verb: "Copied", toFile: true, amount: sizeText });
  const copied: Copied[] = [];
  const left: Left[] = [];
  try {
    for (const { session, action, why } of plan) {
      if (action === "leave") left.push({ session: session.session, why: why! });
      if (action !== "copy") continue;
      try {
        copied.push(copySession(from, to, session));
      } catch (error) {
        if (!isOfOneSession(error)) throw error;
        left.push({ session: session.session, why: error.message });
      }
      told.add(session.sizeBytes);
    }
  } finally {
    told.end();
  }
  return { copied, left };
}

function planText(plan: readonly PlannedCopy[]): string {
  const copies = plan.filter(({ action }) => action === "copy");
  const total = copies.reduce((sum, { session }) => sum + session.sizeBytes, 0);
  const same = plan.filter(({ action }) => action === "same").length;
  const lines = plan.flatMap(({ session, action, why }) =>
    action === "leave"
      ? [`  ${safeLine(session.session)} would be left: ${safeLine(why!)}.\n`]
      : [],
  );
  const there = same === 0 ? "" : ` ${count(same, "session")} are there already.`;
  const others =
    plan.length === 0
      ? "The store is empty. Sessions of other agents are not in it: `reprise backup <folder>` copies those too.\n"
      : "";
  return `Would copy ${count(copies.length, "session")}, ${sizeText(total)}.${there}\n${lines.join("")}${others}`;
}

function tell(copied: readonly Copied[], left: readonly Left[], { out }: CommandContext): void {
  const bytes = copied.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  out.note(
    `Copied ${count(copied.length, "session")}, ${sizeText(bytes)}; every byte was compared.`,
  );
  const missing = copied.reduce((sum, { missingBlobs }) => sum + missingBlobs, 0);
  if (missing > 0)
    out.note(`${count(missing, "blob")} were missing in the source, and are in the copy.`);
  for (const { session, why } of left) out.note(`${safeLine(session)} was left: ${safeLine(why)}`);
}
