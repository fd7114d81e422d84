import { relative } from "node:path";
import type { AgentCheckpoint } from "../../agents/checkpoints-contract.ts";
import type { FoundSession } from "../../agents/newest-sessions.ts";
import { RepriseError } from "../../base/errors.ts";
import { limits } from "../../base/limits.ts";
import type { AdoptedFile } from "../../snapshot/adopted-file.ts";
import { type Checkpoint, recordCheckpoint } from "../../snapshot/checkpoint.ts";
import { withRoom } from "../../snapshot/keeping/budget-full.ts";
import { lookAt } from "../../snapshot/stat-print.ts";
import { WorkingTree } from "../../snapshot/working-tree.ts";
import type { Home } from "../../store/home.ts";
import { realPathOf } from "../../store/project.ts";

/** A checkpoint of ours that was made of an agent's own, and what of it could not be had. */
export interface Adopted {
  readonly checkpoint: Checkpoint;
  readonly left: readonly { readonly path: string; readonly why: string }[];
}

/** The checkpoints that a session's agent keeps itself, the oldest first; none where it keeps none. */
export async function agentCheckpoints({
  agent,
  ref,
  head,
}: FoundSession): Promise<readonly AgentCheckpoint[]> {
  const reader = await agent.checkpoints?.();
  return reader === undefined ? [] : reader.list(ref, head);
}

/**
 * Makes a checkpoint of ours of one that an agent keeps itself, whose store is only read. It covers the files that the
 * agent's one has and no other: going back to it leaves all others as they are.
 */
export async function adoptCheckpoint(
  { agent, ref, head }: FoundSession,
  name: string,
  options: { readonly home: Home; readonly userHome: string; readonly label?: string | undefined },
): Promise<Adopted> {
  const reader = await agent.checkpoints?.();
  if (reader === undefined || head.cwd === undefined) {
    throw new RepriseError("unsupported", `${agent.title} keeps no checkpoints of files here.`);
  }
  const meant = (await reader.list(ref, head)).filter((one) => one.name.startsWith(name));
  if (meant.length !== 1 || name === "") {
    throw new RepriseError(
      meant.length === 0 || name === "" ? "not_found" : "ambiguous",
      meant.length === 0
        ? `No checkpoint of ${agent.title} matches ${JSON.stringify(name)}.`
        : `${meant.length} checkpoints of ${agent.title} match ${JSON.stringify(name)}.`,
      { hint: "`reprise checkpoint list --foreign` shows their names." },
    );
  }
  const [one] = meant;
  const folder = realPathOf(head.cwd);
  const files = new Map<string, AdoptedFile>();
  const left: { path: string; why: string }[] = [];
  for await (const { path, lost, ...file } of reader.files(ref, head, one!.name)) {
    const within = relative(folder, path);
    const isOutside = within === "" || within.startsWith("..") || within.startsWith("/");
    if (lost !== undefined) left.push({ path, why: lost });
    else if (isOutside) left.push({ path, why: "it lies outside of the session's folder" });
    else if (files.size >= limits.snapshotFiles)
      left.push({ path, why: "there are too many files" });
    else files.set(within, { ...modeOf(`${folder}/${within}`), ...file });
  }
  if (files.size === 0) {
    throw new RepriseError("not_found", `Nothing of this checkpoint of ${agent.title} is left.`);
  }
  const checkpoint = withRoom(options.home, () =>
    record(folder, files, { ...options, one: one!, agent: agent.name, session: head.session }),
  );
  return { checkpoint, left };
}

/** A file keeps the mode it has, where the agent kept none. */
function modeOf(path: string): { readonly mode?: number } {
  const stat = lookAt(path);
  return stat?.isFile() === true ? { mode: stat.mode & 0o7777 } : {};
}

function record(
  folder: string,
  files: ReadonlyMap<string, AdoptedFile>,
  options: {
    readonly home: Home;
    readonly userHome: string;
    readonly label?: string | undefined;
    readonly one: AgentCheckpoint;
    readonly agent: string;
    readonly session: string;
  },
): Checkpoint {
  const { home, label, one, agent, session } = options;
  const tree = WorkingTree.open(folder, options);
  try {
    return tree.hold(() => {
      const snapshot = tree.adopt(files);
      return recordCheckpoint(
        home,
        { ...snapshot, at: one.at ?? snapshot.at },
        {
          reason: "asked",
          label: label ?? `${agent} ${one.name.slice(0, 12)}`,
          agent,
          session,
          ...(one.uuid !== undefined && { uuid: one.uuid }),
        },
      );
    });
  } finally {
    tree.close();
  }
}
