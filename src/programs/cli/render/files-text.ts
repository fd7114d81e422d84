import { relative } from "node:path";
import type { FoundSession } from "../../../agents/find-sessions.ts";
import { referenceTo } from "../../../agents/reference.ts";
import type { Environment } from "../../../base/env.ts";
import type { FileUse, SessionFile } from "../../../catalog/blame/session-files.ts";
import type { Colours } from "../terminal/colours.ts";
import { safeLine } from "../terminal/terminal-text.ts";
import { padded, textWidth } from "../terminal/width.ts";
import { count } from "./count.ts";
import { titleOf } from "./heading.ts";
import { homely } from "./path-text.ts";

const uses = ["created", "modified", "deleted", "read", "failed"] as const;
const shownEvents = 6;

/** The files of a session for people: what was done with each, how often, and in which events. */
export function filesText(
  session: FoundSession,
  files: readonly SessionFile[],
  options: {
    readonly colours: Colours;
    readonly env: Environment;
    /** Whether only files that were changed were asked for. */
    readonly isChangedOnly?: boolean;
  },
): string {
  const { colours } = options;
  const { head } = session;
  const title = `${colours.bold(safeLine(titleOf(head)))}  ${colours.dim(safeLine(referenceTo(session)))}\n`;
  if (files.length === 0) {
    const did = options.isChangedOnly === true ? "changed" : "read and changed";
    return `${title}\nThe calls of this session ${did} no file.\n`;
  }
  const nameOf = (path: string): string => {
    const near = head.cwd === undefined ? path : relative(head.cwd, path);
    return safeLine(near === "" || near.startsWith("..") ? homely(path, options.env) : near);
  };
  const width = Math.min(60, Math.max(...files.map(({ path }) => textWidth(nameOf(path)))));
  const rows = files.map((file) => {
    const done = uses.flatMap((use) => (file[use] === undefined ? [] : [useText(use, file[use])]));
    const moved = file.movedTo === undefined ? [] : [`now ${nameOf(file.movedTo)}`];
    return `  ${colours.cyan(padded(nameOf(file.path), width))}  ${[...done, ...moved].join(", ")}`;
  });
  const counts = uses.flatMap((use) => {
    const having = files.filter((file) => file[use] !== undefined).length;
    return having === 0 ? [] : [`${having} ${use}`];
  });
  return `${title}\n${rows.join("\n")}\n\n${count(files.length, "file")}: ${counts.join(", ")}\n`;
}

function useText(use: string, { count: times, events }: FileUse): string {
  const named = events.slice(0, shownEvents).map((event) => `@${event}`);
  const rest = events.length > shownEvents || times > events.length ? " …" : "";
  return `${use}${times === 1 ? "" : ` ${times}x`} ${named.join(" ")}${rest}`;
}
