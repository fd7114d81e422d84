import { join, relative } from "node:path";
import {
  type FilePrint,
  isUntouched,
  printOf,
  printsIn,
  refuseTouched,
  removeAdded,
} from "../../additions/added-file.ts";
import { StagedFile } from "../../additions/staged-file.ts";
import { disk, exists } from "../../base/disk.ts";
import { RepriseError } from "../../base/errors.ts";
import { statOf } from "../../base/folders.ts";
import { limits } from "../../base/limits.ts";
import { readRegular } from "../../base/open-file.ts";
import type { OutgoingNotes } from "../../model/outgoing.ts";
import { oneLine } from "../../model/text.ts";
import { addFiles, type NewFile } from "../add-notes.ts";
import type { NotesOptions, NotesWriter, Written } from "../contract.ts";
import { statePath } from "./places.ts";

/**
 * Writes the one state of a project, and a page beside it that the state names as its story. A state that is there is
 * replaced only by an explicit word, after a backup; taking back puts the backup in its place again.
 */
export const notesWriter: NotesWriter = { write, takeBack };

async function write(notes: OutgoingNotes, options: NotesOptions): Promise<Written> {
  const { cwd } = options.about;
  const isNewer = ["/.aiox", "/.aiox-core"].some((name) => statOf(cwd + name) !== undefined);
  const path = statePath(cwd, isNewer ? ".aiox" : ".aios");
  const nowMs = Date.now();
  const page = { path: join(path, "..", `reprise-handoff-${nowMs}.md`), text: `${notes.page}\n` };
  const state = {
    path,
    text: JSON.stringify(
      stateFor(notes, { options, nowMs, story: relative(cwd, page.path) }),
      null,
      2,
    ),
  };
  const ref = { agent: "aios", session: "session-state", root: cwd };
  if (!exists(path)) return addFiles([state, page], ref, options);
  if (options.replace !== true) {
    throw new RepriseError("session_exists", `${path} is there already; nothing was written.`, {
      hint: "It is the program's one state of this project. With --replace it is kept as a backup beside it.",
    });
  }
  return replaceState(state, { page, ref, options, nowMs });
}

/** Exactly the nine keys the program keeps: others are dropped when it writes. */
function stateFor(
  { sections }: OutgoingNotes,
  {
    options,
    nowMs,
    story,
  }: { readonly options: NotesOptions; readonly nowMs: number; readonly story: string },
): object {
  const { agent } = options.about.from;
  const random = Math.random().toString(36).slice(2, 11).padEnd(9, "0");
  return {
    sessionId: `session-${nowMs}-${random}`,
    startTime: nowMs,
    lastActivity: nowMs,
    workflowActive: null,
    workflowState: null,
    // Without a command the program takes the session for a new one.
    lastCommands: ["handoff"],
    agentSequence: [
      { agentId: agent, agentName: agent, activatedAt: nowMs, lastCommand: "handoff" },
    ],
    taskHistory: (sections.done ?? []).slice(-20).map((task) => ({
      task: oneLine(task, 200),
      completedAt: nowMs,
      success: true,
      agentId: agent,
      storyPath: null,
    })),
    currentStory: story,
  };
}

/** Order: page and backup are staged, the intention is written down, both get their names, then the state is replaced. */
function replaceState(
  state: NewFile,
  given: {
    readonly page: NewFile;
    readonly ref: Pick<Written["ref"], "agent" | "session" | "root">;
    readonly options: NotesOptions;
    readonly nowMs: number;
  },
): Written {
  const { page, ref, options, nowMs } = given;
  const before = printOf(state.path);
  const text = readRegular(state.path, limits.documentBytes).toString("utf8");
  const file = new StagedFile(state.path, options);
  try {
    file.write(state.text);
    const after = file.finish();
    const backup = { path: `${state.path}.${nowMs}.backup`, text };
    const { sizeBytes } = after;
    const place = { ...ref, path: state.path, sizeBytes, modifiedMs: nowMs };
    let written: Written | undefined;
    const intend = (added: Written): void => {
      written = { ...added, ref: place, rows: { before, after, backup: backup.path } };
      options.intend?.(written);
    };
    addFiles([page, backup], ref, { ...options, intend });
    if (!isUntouched(before)) throw changed(state.path);
    file.replace();
    return written!;
  } catch (error) {
    file.abandon();
    throw error;
  }
}

async function takeBack({ files, rows }: Written): Promise<readonly never[]> {
  const [before] = printsIn([rows?.["before"]]);
  const [after] = printsIn([rows?.["after"]]);
  if (before !== undefined && after !== undefined) restore({ before, after, files, rows });
  removeAdded(files);
  return [];
}

/** Puts the backup in the place of our state; a state that was never replaced is left as it is. */
function restore(replaced: {
  readonly before: FilePrint;
  readonly after: FilePrint;
  readonly files: readonly FilePrint[];
  readonly rows: Written["rows"];
}): void {
  const { before, after, files, rows } = replaced;
  refuseTouched(files);
  if (exists(before.path) && isUntouched(before)) return;
  if (exists(after.path) && !isUntouched(after)) throw changed(after.path);
  const backup = String(rows?.["backup"]);
  if (exists(backup)) disk.rename(backup, before.path);
}

function changed(path: string): RepriseError {
  return new RepriseError("conflict", `${path} was changed since; it stays.`);
}
