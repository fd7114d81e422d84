import { timeOf } from "../../base/clock.ts";
import { type Checkpoint, checkpointsOf } from "../../snapshot/checkpoint.ts";
import { isIncomplete, type Snapshot } from "../../snapshot/snapshot.ts";
import { SnapshotStore } from "../../snapshot/snapshot-store.ts";
import { sameEntry } from "../../snapshot/tree.ts";
import { entryAt } from "../../snapshot/tree-paths.ts";
import type { Home } from "../../store/home.ts";
import { type DiffMaker, eachOnce, otherMaker } from "./makers.ts";
import type { ShellCall, Work } from "./session-work.ts";

/** A moment of which the files are known. */
interface Known {
  readonly atMs: number;
  readonly tree: string;
}

/**
 * Who may have made what no edit made, path by path: the checkpoints between two snapshots say in which spans of time a
 * path changed. In each of them it was a command that ran then, or somebody outside; undefined if none shows a change.
 */
export function makersBetween(
  home: Home,
  [one, other]: readonly [Snapshot, Snapshot],
  given: { readonly work: Work; changedMs?(path: string): number | undefined },
): (path: string) => readonly DiffMaker[] | undefined {
  const store = new SnapshotStore(home);
  const [first, last] = [known(one), known(other)].sort((a, b) => a.atMs - b.atMs);
  const between = checkpointsOf(home, one.folder).filter((checkpoint) => {
    const { atMs } = known(checkpoint);
    return !isIncomplete(checkpoint) && atMs > first!.atMs && atMs < last!.atMs;
  });
  const moments = [first!, ...between.map(known), last!];
  const shells = begunAfter(given.work.shells, between);
  return (path) => {
    const makers: DiffMaker[] = [];
    moments.slice(1).forEach((after, at) => {
      const before = moments[at]!;
      const [from, to] = [before, after].map(({ tree }) => entryAt(store, tree, path));
      if (sameEntry(from, to)) return;
      const changedMs = after === last ? given.changedMs?.(path) : undefined;
      const ran = shells.filter((shell) => overlaps(shell, before.atMs, after.atMs));
      makers.push(otherMaker({ shells: ran }, changedMs));
    });
    return makers.length === 0 ? undefined : eachOnce(makers);
  };
}

function known({ at, tree }: Snapshot): Known {
  return { atMs: timeOf(at) ?? 0, tree };
}

/** A command runs after the checkpoint that was taken for it, however early its call was written down. */
function begunAfter(
  shells: readonly ShellCall[],
  checkpoints: readonly Checkpoint[],
): readonly ShellCall[] {
  const taken = new Map(
    checkpoints.flatMap((one) =>
      one.call === undefined ? [] : [[one.call, known(one).atMs] as const],
    ),
  );
  return shells.map((shell) => {
    const askedMs = Math.max(shell.askedMs, taken.get(shell.call) ?? 0);
    return { ...shell, askedMs };
  });
}

function overlaps({ askedMs, doneMs }: ShellCall, fromMs: number, toMs: number): boolean {
  return askedMs < toMs && (doneMs ?? Number.POSITIVE_INFINITY) > fromMs;
}
