import type { JsonObject } from "../../../base/json.ts";
import { record } from "../../../log/journal.ts";
import { type Leaving, removeSession } from "../../../store/remove.ts";
import type { CommandContext } from "../run/command.ts";
import { homeOf } from "./native.ts";

/** Removes a session of our own store, as pruning does: compressed, and journalled before it goes. */
export function deleteOwn(
  path: string,
  context: CommandContext,
  /** What else the entry of the journal says, such as what it belongs to. */
  more: JsonObject = {},
): { readonly entry: number; readonly copy: string } {
  const home = homeOf(context);
  let entry = 0;
  const beforeLeaving = (leaving: Leaving): void => {
    entry = record(home.journal, "prune", { ...more, removed: [leaving] });
  };
  const { archive = "" } = removeSession(home, path, { waitMs: 0, beforeLeaving });
  return { entry, copy: archive };
}
