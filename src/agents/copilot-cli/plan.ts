import { dirname, join } from "node:path";
import { fileStat } from "../../base/folders.ts";
import { partsOfPage } from "../../model/note-page.ts";
import type { SessionRef } from "../contract.ts";

const part = "plan";

/** The plan that lies beside a session's events; undefined if it has none. */
export function planBeside(session: SessionRef): SessionRef | undefined {
  const path = join(dirname(session.path), "plan.md");
  const stat = fileStat(path);
  return stat && { ...session, session: `${session.session}-plan`, path, part, ...stat };
}

/** Whether a ref names a plan, not the events of a session. */
export function isPlan(ref: SessionRef): boolean {
  return ref.part === part || /[/\\]session-state[/\\][^/\\]+[/\\]plan\.md$/.test(ref.path);
}

/** What a plan is about: its first heading, or its first line. */
export function titleOfPlan(text: string): string | undefined {
  const [first] = partsOfPage(text);
  return first?.heading ?? first?.text.split("\n", 1)[0];
}
