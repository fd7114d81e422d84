import { closeSync, statSync } from "node:fs";
import type { Agent } from "../../agents/contract.ts";
import { RepriseError } from "../../base/errors.ts";
import { limits } from "../../base/limits.ts";
import { openForReading } from "../../base/open-file.ts";
import { readFully } from "../../base/read-fully.ts";
import { readGit } from "../../store/project.ts";
import { attribute } from "./attribute.ts";
import { dialectsOf } from "./call-acts.ts";
import type { Writer } from "./content.ts";
import { type Edit, inOrder } from "./edit.ts";
import { type Gathered, gatherEdits } from "./gather.ts";
import { askGit, type Commit, committedBefore } from "./git.ts";
import type { KeptActs } from "./kept-acts.ts";
import { linesOf } from "./lines.ts";
import type { Target } from "./places.ts";
import { replay } from "./replay.ts";
import type { Candidate } from "./touching.ts";

/** One line of the file, and what is known of who wrote it. */
export interface BlamedLine {
  readonly text: string;
  /** Undefined where no session's edit explains the line. */
  readonly writer?: Writer & { readonly by: Edit };
  /** The commit the line came with. */
  readonly commit?: Commit;
}

/** Who wrote a file, line by line. */
export interface Blame extends Omit<Gathered, "edits"> {
  readonly target: Target;
  /** The file is not there now; `last` says who wrote or removed it, and the lines are what sessions left of it. */
  readonly missing: boolean;
  readonly lines: readonly BlamedLine[];
  /** The last edit that was made to it, whatever is left of it. */
  readonly last?: Edit;
  /** Edits that were replayed or compared. */
  readonly editsSeen: number;
}

/** Finds who wrote each line of a file: the sessions' edits, replayed and held against what is there now. */
export async function blame(
  target: Target,
  options: {
    readonly sessions: readonly Candidate[];
    readonly agents: readonly Agent[];
    /** What was learned of the sessions before. */
    readonly kept?: KeptActs;
    /** Hears how many events were read more. */
    onEvents?(count: number): void;
  },
): Promise<Blame> {
  const text = textAt(target.path);
  const present = text === undefined ? [] : linesOf(text);
  const isTracked = readGit(target.root) !== undefined;
  const place = isTracked ? { top: target.root, name: target.name } : undefined;
  const known = place === undefined ? undefined : await askGit(place, present);
  const { edits: found, ...rest } = await gatherEdits(target, {
    sessions: options.sessions,
    formerNames: known?.formerNames ?? [],
    dialects: dialectsOf(options.agents),
    kept: options.kept,
    onEvents: (count) => options.onEvents?.(count),
  });
  const edits = inOrder(found);
  const lines = text === undefined ? leftBySessions(edits) : present;
  const done = edits.filter(({ act }) => act.outcome === "done");
  const first = done.find((edit) => edit.place === "here");
  const committed =
    place === undefined || first === undefined
      ? undefined
      : await committedBefore(place, first.atMs);
  const writers = attribute(edits, {
    lines,
    committed,
    committedMs: lines.map((_, at) => known?.commits[at]?.atMs),
  });
  const last = done.at(-1);
  return {
    ...rest,
    target,
    missing: text === undefined,
    lines: lines.map((line, at) =>
      blamedLine(line, { writer: writers[at], edits, commit: known?.commits[at] }),
    ),
    editsSeen: edits.length,
    ...(last !== undefined && { last }),
  };
}

/** The file as the sessions' own edits left it; empty if they deleted it, or never said all of it. */
function leftBySessions(edits: readonly Edit[]): readonly string[] {
  const own = edits.filter(({ place }) => place === "here");
  return replay(own).content?.lines ?? [];
}

function blamedLine(
  text: string,
  given: {
    readonly writer: Writer | undefined;
    readonly edits: readonly Edit[];
    readonly commit: Commit | undefined;
  },
): BlamedLine {
  const { writer, commit } = given;
  return {
    text,
    ...(writer !== undefined && { writer: { ...writer, by: given.edits[writer.edit]! } }),
    ...(commit !== undefined && { commit }),
  };
}

const lookedAtBytes = 8 * 1024;

/** The file's text; undefined if it is not there. */
function textAt(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  // Looked at before it is opened: opening a pipe would wait for somebody to write.
  if (!stat.isFile()) {
    throw new RepriseError("not_a_file", `${path} is not a file.`, {
      hint: "Name one file: `reprise blame src/index.ts`.",
    });
  }
  if (stat.size > limits.blamedFileBytes) {
    throw new RepriseError("too_large", `${path} has ${stat.size} bytes.`, {
      hint: `Files up to ${limits.blamedFileBytes / 1024 / 1024} MiB can be asked about.`,
    });
  }
  const fd = openForReading(path);
  try {
    const bytes = readFully(fd, { from: 0, length: stat.size });
    if (bytes.subarray(0, lookedAtBytes).includes(0)) {
      throw new RepriseError("bad_input", `${path} is not a text file.`, {
        hint: "Only text has lines that somebody wrote.",
      });
    }
    return bytes.toString("utf8");
  } finally {
    closeSync(fd);
  }
}
