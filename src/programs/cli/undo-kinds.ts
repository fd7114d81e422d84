import { renameSync } from "node:fs";
import { basename, join } from "node:path";
import { annotationKind } from "../../agents/annotations.ts";
import { exists } from "../../base/disk.ts";
import { RepriseError } from "../../base/errors.ts";
import { asArray, asNumber, asString, isObject, type JsonObject } from "../../base/json.ts";
import type { JournalEntry } from "../../log/journal.ts";
import { restoreArchived } from "../../store/archive.ts";
import { removeSession } from "../../store/remove.ts";
import { SessionManager } from "../../store/session-manager.ts";
import type { CommandContext } from "./command.ts";
import { homeOf, managerOptions } from "./native.ts";

/** How one kind of journal entry is told and taken back. */
export interface UndoKind {
  says(data: JsonObject): string;
  undo(entry: JournalEntry, context: CommandContext): Promise<void>;
}

/** Every kind that can be undone. */
export const undoKinds: Readonly<Record<string, UndoKind>> = {
  [annotationKind]: {
    says: ({ agent, session, title, tags }) => {
      const what =
        title === undefined ? `tags ${asArray(tags).join(", ")}` : `title ${String(title)}`;
      return `${what} of ${String(agent)}:${String(session)}`;
    },
    // An annotation counts only while its entry is not undone: the mark alone takes it back.
    undo: async () => {},
  },
  rewind: {
    says: ({ session, to, from }) =>
      `rewind of ${String(session)} from ${String(from)} to ${String(to)}`,
    undo: undoRewind,
  },
  prune: {
    says: ({ removed }) => `removal of ${asArray(removed).length} sessions`,
    undo: undoPrune,
  },
  import: {
    says: ({ session, from }) => `import of ${String(from)} as ${String(session)}`,
    undo: undoImport,
  },
};

async function undoRewind({ data }: JournalEntry, context: CommandContext): Promise<void> {
  const file = asString(data["file"]) ?? "";
  const from = asNumber(data["from"]) ?? 0;
  const session = SessionManager.open(file, managerOptions(context));
  try {
    if (session.getLeafId() !== data["event"]) {
      throw new RepriseError("conflict", "The session has gone on since the rewind.", {
        hint: `Go there yourself: \`reprise rewind ${session.getSessionId()}@${from}\`.`,
      });
    }
    await session.rewind(from, "undo");
  } finally {
    await session.close();
  }
}

async function undoPrune({ data }: JournalEntry, context: CommandContext): Promise<void> {
  const home = homeOf(context);
  const missing: string[] = [];
  for (const removal of asArray(data["removed"]).filter(isObject)) {
    const file = asString(removal["file"]);
    const archive = asString(removal["archive"]);
    // Only into our own store, whatever the journal says.
    if (file === undefined || !file.startsWith(join(home.sessions, "/")) || exists(file)) continue;
    const base = join(home.bases, basename(file));
    if (exists(base)) renameSync(base, file);
    else if (archive?.startsWith(join(home.archive, "/")) && exists(archive)) {
      await restoreArchived(archive, file);
    } else missing.push(basename(file, ".jsonl"));
  }
  if (missing.length === 0) return;
  throw new RepriseError("not_found", `No archived copy of ${missing.join(", ")} is left.`);
}

async function undoImport({ data }: JournalEntry, context: CommandContext): Promise<void> {
  const file = asString(data["file"]) ?? "";
  const session = SessionManager.open(file, managerOptions(context));
  const last = session.getLeafId();
  await session.close();
  if (last !== data["lastId"]) {
    throw new RepriseError("conflict", "The imported session has gone on since.", {
      hint: "It is left as it is.",
    });
  }
  removeSession(homeOf(context), file);
}
