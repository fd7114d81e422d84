import type { FoundSession } from "../../../agents/find-sessions.ts";
import { referenceTo, shortReference } from "../../../agents/reference.ts";
import { shortTitleOf } from "../render/heading.ts";
import type { CommandContext } from "../run/command.ts";
import { safeLine } from "../terminal/terminal-text.ts";

/** Says beside the answer which session was taken where none was named: a copy is the newest, too. */
export function noteNewest(session: FoundSession, { json, out }: CommandContext): void {
  if (json) return;
  const { copyOf } = session.head;
  const copy = copyOf === undefined ? "" : ` (copy of ${shortReference(copyOf)})`;
  out.note(
    `The newest session: ${safeLine(referenceTo(session))}, “${shortTitleOf(session.head)}”${safeLine(copy)}.`,
  );
}
