import { isoTime } from "../../base/clock.ts";
import type { SessionHead } from "../../model/head.ts";
import type { SessionRef } from "../contract.ts";
import { documentHead, documentText, problemOfDamage } from "../document.ts";
import { headOfFile } from "../session-file.ts";
import { isItsPath } from "./places.ts";
import { stateIn } from "./state.ts";

/** What a session's file says of it; undefined if it is none of the program's, or of another version. */
export function head(ref: SessionRef): SessionHead | undefined {
  if (ref.root === undefined && !isItsPath(ref.path)) return undefined;
  return headOfFile(ref, (fd) => {
    const { text, damage } = documentText(fd, ref.path);
    const found = stateIn(text);
    if (found === undefined) return undefined;
    const { uuid, title, agent, started, lastActivity, cwd } = found.state;
    return documentHead(ref, {
      session: uuid ?? ref.session,
      kind: "state",
      title: title ?? agent,
      createdAt: isoTime(started),
      updatedAt: isoTime(lastActivity),
      ...(cwd !== undefined && { cwd }),
      ...problemOfDamage([...damage, ...found.damage]),
    });
  });
}
