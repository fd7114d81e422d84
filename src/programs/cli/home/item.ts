import { basename } from "node:path";
import type { FoundSession } from "../../../agents/find-sessions.ts";
import { placeKey } from "../../../catalog/index/source.ts";
import { titleOf } from "../render/heading.ts";
import { safeLine } from "../terminal/terminal-text.ts";

/** A session as the home screen offers it, with what is looked through while one types. */
export interface Item {
  readonly session: FoundSession;
  /** Says it from every other: where it lies. */
  readonly key: string;
  readonly title: string;
  readonly project: string;
  /** In small letters, in the order of what they count: title, project, first prompt, everything else. */
  readonly fields: readonly string[];
}

/** Sessions as items, pinned ones first; `prompts` has what a person said first, as far as it is known. */
export function itemsOf(
  sessions: readonly FoundSession[],
  prompts: ReadonlyMap<string, string> = new Map(),
): readonly Item[] {
  const items = sessions.map((session) => itemOf(session, prompts.get(placeKey(session.ref))));
  const isPinned = ({ session }: Item): boolean => session.head.pinned === true;
  return [...items.filter(isPinned), ...items.filter((item) => !isPinned(item))];
}

/** One session as an item. */
export function itemOf(session: FoundSession, prompt = ""): Item {
  const { head } = session;
  const { agent, cwd, git, model, tags = [] } = head;
  const title = safeLine(titleOf(head));
  const project = projectOf(session);
  const rest = [agent, head.session, cwd, head.project?.name, git?.branch, model, ...tags];
  return {
    session,
    key: placeKey(session.ref),
    title,
    project,
    fields: [title, project, prompt, rest.filter(Boolean).join(" ")].map((text) =>
      text.toLowerCase(),
    ),
  };
}

/** What the project of a session is called. */
export function projectOf({ head }: FoundSession): string {
  return safeLine(head.project?.name ?? basename(head.cwd ?? ""));
}
