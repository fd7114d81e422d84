import { record, recordAnew } from "../log/journal.ts";
import type { EventId } from "../model/event.ts";
import { idOfHead, type NamingFacts } from "../model/head-name.ts";
import type { Home } from "./home.ts";
import { type Marks, markOf, marksIn, marksOf } from "./marks.ts";

/**
 * Marks a foreign session; a field that is absent stays as it was. A function is given what was said before, so that
 * nothing that others say at the same time is lost.
 */
export function markSession(
  home: Home,
  head: NamingFacts,
  change: Marks | ((before: Marks) => Marks),
): EventId {
  const { agent } = head;
  const session = idOfHead(head);
  return recordAnew(home.journal, "mark", () => {
    const before = markOf(marksOf(home), { agent, session });
    const said = typeof change === "function" ? change(before) : change;
    return { agent, session, change: said, before };
  });
}

/** Puts marks back as they were before an entry. */
export function restoreMarks(
  home: Home,
  session: { readonly agent: string; readonly session: string },
  before: unknown,
): EventId {
  const data = {
    agent: session.agent,
    session: session.session,
    replaces: true,
    change: marksIn(before),
  };
  return record(home.journal, "mark", { ...data, before: {} });
}
