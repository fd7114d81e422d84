import type { FileAct } from "./file-act.ts";

const head = /^<{5,9} SEARCH\s*$/;
const divider = /^={5,9}\s*$/;
const tail = /^>{5,9} REPLACE\s*$/;

/** The edits an answer proposes in SEARCH/REPLACE blocks, each under the name of its file. */
export function searchReplaceActs(answer: string): readonly FileAct[] {
  if (!answer.includes("<<<<< SEARCH")) return [];
  const lines = answer.replaceAll("\r\n", "\n").split("\n");
  const acts: FileAct[] = [];
  let path: string | undefined;
  for (let at = 0; at < lines.length; at += 1) {
    if (!head.test(lines[at]!)) continue;
    path = nameBefore(lines, at) ?? path;
    const middle = findFrom(lines, at + 1, divider);
    const last = findFrom(lines, middle + 1, tail);
    if (middle < 0 || last < 0) break;
    const before = textOf(lines.slice(at + 1, middle));
    const after = textOf(lines.slice(middle + 1, last));
    at = last;
    if (path === undefined) continue;
    acts.push(
      before.trim() === ""
        ? { path, action: "created", changes: [{ kind: "write", content: after }] }
        : { path, action: "modified", changes: [{ kind: "replace", before, after, all: false }] },
    );
  }
  return acts;
}

/** The name stands on the line before the block, outside or inside its fence. */
function nameBefore(lines: readonly string[], block: number): string | undefined {
  for (let at = block - 1; at >= Math.max(0, block - 3); at -= 1) {
    const line = lines[at]!.trim();
    if (line === "" || tail.test(line)) return undefined;
    if (line.startsWith("```") || line.startsWith("~~~")) continue;
    return line.replace(/^[#*`]+\s*|[*`:]+$/g, "").trim() || undefined;
  }
  return undefined;
}

function findFrom(lines: readonly string[], from: number, mark: RegExp): number {
  for (let at = Math.max(0, from); at < lines.length; at += 1) if (mark.test(lines[at]!)) return at;
  return -1;
}

function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}
