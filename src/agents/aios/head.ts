import { isoOf, isoTime } from "../../base/clock.ts";
import { asString } from "../../base/json.ts";
import type { SessionHead } from "../../model/head.ts";
import { frontValues, partsOfPage } from "../../model/note-page.ts";
import type { SessionRef } from "../contract.ts";
import { documentHead, documentText, problemOfDamage } from "../document.ts";
import { headOfFile } from "../session-file.ts";
import { isDigest, isItsPath } from "./places.ts";
import { stateIn } from "./state.ts";

/** What a state or a digest says of itself; undefined if the file is none of the program's. */
export function head(ref: SessionRef): SessionHead | undefined {
  if (ref.root === undefined && !isItsPath(ref.path)) return undefined;
  return headOfFile(ref, (fd) => {
    const { text, damage } = documentText(fd, ref.path);
    if (isDigest(ref.path)) return digestHead(ref, text);
    const found = stateIn(text);
    if (found === undefined) return undefined;
    const { state } = found;
    const last = state.agents.at(-1);
    const agent = last && (asString(last["agentName"]) ?? asString(last["agentId"]));
    const title = [state.workflow, state.workflowState, agent, state.story]
      .filter(Boolean)
      .join(" · ");
    return documentHead(ref, {
      session: state.sessionId ?? ref.session,
      kind: "state",
      title,
      createdAt: isoMs(state.startMs),
      updatedAt: isoMs(state.lastMs),
      ...problemOfDamage([...damage, ...found.damage]),
    });
  });
}

function digestHead(ref: SessionRef, text: string): SessionHead | undefined {
  const [front] = partsOfPage(text);
  if (front?.kind !== "front") return undefined;
  const values = frontValues(front.text);
  return documentHead(ref, {
    kind: "notes",
    title: values["agent_context"] ?? values["session_id"],
    updatedAt: isoTime(values["timestamp"]),
  });
}

/** A moment of the program's; undefined if it is none. */
export function isoMs(ms: number | undefined): string | undefined {
  return ms === undefined || !(ms > 0 && ms < 253_402_300_800_000)
    ? undefined
    : isoOf(Math.floor(ms));
}
