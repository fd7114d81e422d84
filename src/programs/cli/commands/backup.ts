import { join, resolve } from "node:path";
import { RepriseError } from "../../../base/errors.ts";
import { backupMemories } from "../../../memory/backup/write.ts";
import { memoriesName } from "../../../vault/backup/listing.ts";
import { type BackupShare, backUpSessions } from "../../../vault/backup/write.ts";
import { flatSettings, readSettings } from "../config/settings.ts";
import { count } from "../render/count.ts";
import { homely } from "../render/path-text.ts";
import { sizeText } from "../render/size.ts";
import type { Command, CommandContext } from "../run/command.ts";
import { progress } from "../terminal/progress.ts";
import { safeLine } from "../terminal/terminal-text.ts";

/** `reprise backup`: everything that is to come along to a new machine, in one folder. */
export const backup: Command = {
  name: "backup",
  summary: "copy all sessions, memories and titles into a folder, to move or to keep",
  details: `The folder gets the session files of every agent as they are, the sessions of Reprise's own store, all memories, your
titles, tags and pins, which session is a copy of which, and a list with checksums. Take it to the new machine and run \`reprise restore <folder>\` there. Sessions
in a database or in a project's folder are not in it; the answer names them. Checkpoints, logins and settings of agents are not
in it either. The copies are exact: secrets are not masked, and only you can read the folder.`,
  args: [{ name: "<folder>", says: "a new folder; it is made" }],
  flags: [],
  examples: [
    { line: "reprise backup ~/reprise-backup", says: "copy everything" },
    {
      line: "tar czf backup.tgz -C ~ reprise-backup",
      says: "make one file of it, to send it to another machine",
    },
  ],
  json: `{ path: string, createdAt: string, files: number, sizeBytes: number, marks: number, copies: number, memories: number,
  agents: { agent: string, sessions: number }[], left: { agent: string, sessions: number, why: string }[] }`,
  changes: () => true,
  run: async ({ args }, context) => {
    const path = resolve(context.folder, args[0] ?? "");
    if (/\.(?:zip|t?gz|tar|bz2|xz|zst|7z)$/i.test(path)) {
      throw new RepriseError("usage", "A backup is a folder, not one file.", {
        hint: "Name a folder, then pack it: `tar czf backup.tgz <folder>`.",
      });
    }
    const told = progress(context, { verb: "Copied", toFile: true, amount: sizeText });
    let memories = 0;
    const settings = readSettings(context.env);
    const made = await backUpSessions(path, context, {
      settings,
      onCopied: told.add,
      beside: async () => {
        const file = join(path, memoriesName);
        memories = (await backupMemories({ env: context.env, file })).entries;
      },
    }).finally(told.end);
    if (context.json) return context.out.writeJson({ ...made, memories });
    const sessions = made.agents.reduce((sum, share) => sum + share.sessions, 0);
    const { out } = context;
    const place = safeLine(homely(path, context.env));
    await out.write(
      `Copied ${count(sessions, "session")} (${sizeText(made.sizeBytes)}) into ${place}${sharesText(made.agents)}.\n`,
    );
    const more = [
      memories > 0 ? (memories === 1 ? "1 memory" : `${memories} memories`) : "",
      made.marks > 0 ? `titles, tags or pins of ${count(made.marks, "session")}` : "",
      flatSettings(settings).length > 0 ? count(flatSettings(settings).length, "setting") : "",
    ].filter(Boolean);
    if (more.length > 0) await out.write(`With them: ${more.join(", ")}.\n`);
    await tellLeft(made.left, context);
    out.note("Checkpoints, logins and settings of agents are not in it.");
    out.note("The copies are exact: secrets are not masked. Only you can read the folder.");
    out.note("On the new machine: `reprise restore <folder>`.");
  },
};

async function tellLeft(left: readonly BackupShare[], { out }: CommandContext): Promise<void> {
  for (const { agent, sessions, why = "" } of left)
    await out.write(`Not in it: ${count(sessions, "session")} of ${agent}: ${safeLine(why)}.\n`);
}

/** How many sessions are of which agent, as the rest of a sentence; nothing if there are none. */
export function sharesText(shares: readonly BackupShare[]): string {
  const parts = shares.map(({ agent, sessions }) => `${sessions.toLocaleString("en")} of ${agent}`);
  return parts.length === 0 ? "" : `: ${parts.join(", ")}`;
}
