import type { Change, FileAct, Hunk } from "./file-act.ts";

const begin = "*** Begin Patch";
const end = "*** End Patch";

/** Whether a text holds a patch in the `*** Begin Patch` notation. */
export function holdsPatch(text: string): boolean {
  return text.includes(begin);
}

/** What a patch does, file by file; empty where the text holds none. */
export function patchActs(text: string): readonly FileAct[] {
  const from = text.indexOf(begin);
  if (from < 0) return [];
  const to = text.indexOf(end, from);
  const body = text.slice(from + begin.length, to < 0 ? undefined : to);
  const lines = body.replaceAll("\r\n", "\n").split("\n");
  const acts: FileAct[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const heading = /^\*\*\* (Add|Update|Delete) File: (.+)$/.exec(lines[at]!.trimEnd());
    if (heading === null) continue;
    const section: string[] = [];
    while (at + 1 < lines.length && !/^\*\*\* (?:Add|Update|Delete) File: /.test(lines[at + 1]!)) {
      at += 1;
      section.push(lines[at]!);
    }
    const act = actOf(heading[1]!, heading[2]!.trim(), section);
    const gone = acts.findIndex(({ path, action }) => path === act.path && action === "deleted");
    // Deleted and added again, a file is written anew.
    if (act.action !== "created" || gone < 0) acts.push(act);
    else acts.splice(gone, 1, { ...act, action: "modified" });
  }
  return acts;
}

function actOf(verb: string, path: string, section: readonly string[]): FileAct {
  if (verb === "Add") {
    const added = section.filter((line) => line.startsWith("+")).map((line) => line.slice(1));
    const content = added.map((line) => `${line}\n`).join("");
    return { path, action: "created", changes: [{ kind: "write", content }] };
  }
  if (verb === "Delete") return { path, action: "deleted", changes: [{ kind: "delete" }] };
  const movedTo = /^\*\*\* Move to: (.+)$/.exec(section[0]?.trimEnd() ?? "")?.[1]?.trim();
  const hunks = hunksOf(movedTo === undefined ? section : section.slice(1));
  const changes: readonly Change[] = hunks.length === 0 ? [] : [{ kind: "patch", hunks }];
  return { path, action: "modified", changes, ...(movedTo !== undefined && { movedTo }) };
}

function hunksOf(section: readonly string[]): readonly Hunk[] {
  const hunks: Hunk[] = [];
  let anchors: string[] = [];
  let before: string[] = [];
  let after: string[] = [];
  const flush = (atEnd: boolean): void => {
    if (before.length > 0 || after.length > 0) hunks.push({ anchors, before, after, atEnd });
    else if (!atEnd) return;
    anchors = [];
    before = [];
    after = [];
  };
  // The last line before `*** End Patch` is not a line of the file.
  const lines = section.at(-1) === "" ? section.slice(0, -1) : section;
  for (const line of lines) {
    if (line.startsWith("@@")) {
      flush(false);
      const anchor = line.slice(2).replace(/^ /, "");
      if (anchor.trim() !== "") anchors = [...anchors, anchor];
    } else if (line.trimEnd() === "*** End of File") flush(true);
    else if (line.startsWith("+")) after.push(line.slice(1));
    else if (line.startsWith("-")) before.push(line.slice(1));
    else {
      const same = line.startsWith(" ") ? line.slice(1) : line;
      before.push(same);
      after.push(same);
    }
  }
  flush(false);
  return hunks;
}
