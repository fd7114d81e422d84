import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../temporary-folder.mjs";
import { readFile } from "./sessions.ts";

const folder = temporaryFolder();
const path = join(folder, "session.jsonl");

interface Node {
  readonly id: string;
  readonly parentId: string | null;
  readonly kept?: string;
  readonly damaged: boolean;
}

/** Any tree pi could write: parents lie before, or are missing; some lines are damaged. */
const trees = fc
  .array(
    fc.record({
      parent: fc.nat(),
      jump: fc.integer({ min: 0, max: 9 }),
      kept: fc.option(fc.nat(), { freq: 6, nil: undefined }),
      damaged: fc.integer({ min: 0, max: 19 }).map((roll) => roll === 0),
    }),
    { minLength: 1, maxLength: 40 },
  )
  .map((parts) =>
    parts.map(({ parent, jump, kept, damaged }, at): Node => {
      const earlier = (pick: number): string => `id${pick % Math.max(1, at)}`;
      const parentId =
        at === 0 || jump === 0
          ? null
          : jump === 1
            ? "gone"
            : jump < 4
              ? earlier(parent)
              : `id${at - 1}`;
      return {
        id: `id${at}`,
        parentId,
        ...(kept !== undefined && { kept: earlier(kept) }),
        damaged,
      };
    }),
  );

function lineOf(node: Node): string {
  const line = JSON.stringify({
    type: node.kept === undefined ? "message" : "compaction",
    id: node.id,
    parentId: node.parentId,
    timestamp: "2026-01-01T00:00:00.000Z",
    ...(node.kept === undefined
      ? { message: { role: "user", content: node.id } }
      : { summary: node.id, firstKeptEntryId: node.kept }),
  });
  return `${node.damaged ? line.slice(0, -3) : line}\n`;
}

const header =
  '{"type":"session","version":3,"id":"s","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/p"}\n';

/** The rules of the format, by the plainest means. */
function replayed(nodes: readonly Node[]): string[] {
  const byId = new Map(nodes.filter((node) => !node.damaged).map((node) => [node.id, node]));
  const branch: Node[] = [];
  for (let node = [...byId.values()].at(-1); node; node = byId.get(node.parentId ?? "")) {
    branch.unshift(node);
  }
  const compaction = branch.findLastIndex((node) => node.kept !== undefined);
  if (compaction < 0) return branch.map((node) => node.id);
  const first = branch.findIndex((node) => node.id === branch[compaction]!.kept);
  const kept = first >= 0 && first < compaction ? branch.slice(first, compaction) : [];
  return [...kept, ...branch.slice(compaction)].map((node) => node.id);
}

const options = { numRuns: 120, seed: 20261115 };

test("what is live follows the rules of the format for any tree", async () => {
  await fc.assert(
    fc.asyncProperty(trees, async (nodes) => {
      writeFileSync(path, header + nodes.map(lineOf).join(""));
      const { events } = await readFile(path);
      expect(events.slice(1).map((event) => event.uuid)).toEqual(replayed(nodes));
    }),
    options,
  );
});

test("the last events are the end of all of them for any tree", async () => {
  await fc.assert(
    fc.asyncProperty(trees, fc.nat({ max: 45 }), fc.boolean(), async (nodes, last, allBranches) => {
      writeFileSync(path, header + nodes.map(lineOf).join(""));
      const all = await readFile(path, { allBranches });
      const { events } = await readFile(path, { allBranches, last });
      expect(events).toEqual(last === 0 ? [] : all.events.slice(-last));
    }),
    options,
  );
});

test("going on from a cursor gives what one reading gives for any tree", async () => {
  await fc.assert(
    fc.asyncProperty(trees, fc.nat(), fc.boolean(), async (nodes, at, allBranches) => {
      const lines = [header, ...nodes.map(lineOf)];
      const cut = at % (lines.length + 1);
      writeFileSync(path, lines.slice(0, cut).join(""));
      const first = await readFile(path, { allBranches });
      appendFileSync(path, lines.slice(cut).join(""));
      const second = await readFile(path, { allBranches, from: first.cursor });
      const events = second.restarted ? second.events : [...first.events, ...second.events];
      const whole = await readFile(path, { allBranches });
      expect(events.map(({ number, parent, body }) => [number, parent, body])).toEqual(
        whole.events.map(({ number, parent, body }) => [number, parent, body]),
      );
    }),
    options,
  );
});
