import { sessionIdProblem } from "../../../base/ids.ts";
import { asArray, asNumber, asString } from "../../../base/json.ts";
import type { SessionRef } from "../../contract.ts";
import { agentName } from "../name.ts";
import { type PartKind, partOf } from "../part.ts";
import { chatMs, type Workspace } from "./workspaces.ts";

/**
 * What lies whole in the database of a workspace: chats and conversations of older versions, notepads. Prompts are named
 * where nothing else of the conversations is left.
 */
export function* savedRefs(
  workspace: Workspace,
  isListed: (id: string) => boolean,
): Generator<SessionRef> {
  const { path, cwd = "", modifiedMs } = workspace;
  const found = (kind: PartKind, id: string | undefined, ms?: number): readonly SessionRef[] => {
    const session = kind === "notepad" ? `notepad-${id}` : id;
    if (id === undefined || session === undefined || sessionIdProblem(session) !== undefined)
      return [];
    const times = { sizeBytes: 0, modifiedMs: ms ?? modifiedMs };
    return [{ agent: agentName, session, path, part: partOf(kind, id), ...times, root: cwd }];
  };
  for (const tab of workspace.chats)
    if (asArray(tab["bubbles"]).length > 0)
      yield* found("chat", asString(tab["tabId"]) ?? asString(tab["id"]), chatMs(tab));
  for (const composer of workspace.composers) {
    const id = asString(composer["composerId"]);
    if (id === undefined || isListed(id) || asArray(composer["conversation"]).length === 0)
      continue;
    const ms = asNumber(composer["lastUpdatedAt"]) ?? asNumber(composer["createdAt"]);
    yield* found("inline", id, ms);
  }
  for (const notepad of workspace.notepads)
    if (asString(notepad["text"])) yield* found("notepad", asString(notepad["id"]));
  const isAlone = workspace.composers.length + workspace.chats.length === 0;
  if (isAlone && workspace.hasPrompts) {
    const [ref] = found("prompts", `prompts-${workspace.id}`);
    if (ref !== undefined) yield ref;
  }
}
