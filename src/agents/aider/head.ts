import { readSync } from "node:fs";
import { basename, dirname } from "node:path";
import type { Environment } from "../../base/env.ts";
import { folderExists } from "../../base/folders.ts";
import { limits } from "../../base/limits.ts";
import type { SessionHead, SessionState } from "../../model/head.ts";
import { oneLine } from "../../model/text.ts";
import { titleOfPrompt } from "../../model/title.ts";
import type { Usage } from "../../model/usage.ts";
import type { SessionRef } from "../contract.ts";
import { headOfFile } from "../session-file.ts";
import { authorOfLine, withoutMark } from "./line-kind.ts";
import { modelIn, usageIn, versionIn } from "./program-line.ts";
import { type Run, runsOf } from "./runs.ts";
import { momentOf } from "./start-line.ts";

const firstLook = limits.headBytes * 4;

/** What a list shows of one run; undefined if it is not in the file or nobody said anything in it. */
export function head(ref: SessionRef, _env: Environment): SessionHead | undefined {
  return headOfFile(ref, (fd) => {
    const run = runsOf(ref.path).find((one) => `${one.ordinal}` === ref.part);
    return run === undefined ? undefined : headOf(fd, ref, run);
  });
}

function headOf(fd: number, ref: SessionRef, run: Run): SessionHead | undefined {
  const size = run.end - run.offset;
  const start = aboutStart(textAt(fd, run.offset, Math.min(size, firstLook)));
  const tail = textAt(
    fd,
    run.end - Math.min(size, limits.tailBytes),
    Math.min(size, limits.tailBytes),
  );
  const end = aboutEnd(tail);
  if (start.title === undefined && end.state === "unknown") return undefined;
  const createdAt = run.started === undefined ? undefined : momentOf(run.started);
  const folder = dirname(ref.path);
  return {
    agent: "aider",
    session: run.session,
    path: ref.path,
    sizeBytes: size,
    ...(createdAt === undefined ? {} : { createdAt }),
    updatedAt: new Date(ref.modifiedMs).toISOString(),
    ...(start.title === undefined ? {} : { title: start.title, titled: false }),
    project: { name: basename(folder), path: folder },
    cwd: folder,
    cwdExists: folderExists(folder),
    ...(start.model === undefined ? {} : { model: start.model }),
    ...(start.version === undefined ? {} : { version: start.version }),
    state: end.state,
    ...(end.usage === undefined ? {} : { usage: end.usage }),
  };
}

function aboutStart(text: string): {
  readonly title?: string;
  readonly model?: string;
  readonly version?: string;
} {
  let model: string | undefined;
  let version: string | undefined;
  let prompt: string[] = [];
  let command: string | undefined;
  for (const line of text.split("\n")) {
    const author = authorOfLine(line.trimEnd() === "" ? "" : line.replace(/\r$/, ""));
    const said = withoutMark(line).trim();
    if (author === "program") {
      model ??= modelIn(said);
      version ??= versionIn(said);
    }
    if (author === "user" && prompt.length > 0) prompt.push(said);
    else if (author === "user" && /^[/!]/.test(said)) command ??= said;
    else if (author === "user" && said !== "<blank>") prompt = [said];
    else if (prompt.length > 0) {
      if (titleOfPrompt(prompt.join("\n")) !== "") break;
      prompt = [];
    }
  }
  const title = titleOfPrompt(prompt.join("\n")) || oneLine(command ?? "", limits.titleChars);
  return {
    ...(title === "" ? {} : { title }),
    ...(model === undefined ? {} : { model }),
    ...(version === undefined ? {} : { version }),
  };
}

function aboutEnd(text: string): { readonly state: SessionState; readonly usage?: Usage } {
  let usage: Usage | undefined;
  let state: SessionState = "unknown";
  for (const line of text.split("\n").reverse()) {
    if (line.trim() === "" || line.startsWith("# ")) continue;
    const author = authorOfLine(line.replace(/\r$/, ""));
    if (author === "program") {
      usage ??= usageIn(withoutMark(line).trim());
      continue;
    }
    // A command needs no answer; a prompt does.
    const waits = author === "answer" || /^(\/|!|<blank>)/.test(withoutMark(line));
    state = waits ? "waiting" : "interrupted";
    break;
  }
  return { state, ...(usage === undefined ? {} : { usage }) };
}

function textAt(fd: number, offset: number, length: number): string {
  const buffer = Buffer.alloc(length);
  return buffer.toString("utf8", 0, readSync(fd, buffer, 0, length, offset));
}
