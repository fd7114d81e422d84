import { registerSettings } from "../../../bridge/install/installed.ts";
import { registerMemories } from "../../../bridge/install/memories/take-back.ts";
import { registerSlash } from "../../../bridge/install/slash/install.ts";
import { registerConversions } from "../../../convert/journal.ts";
import { registerRestores } from "../../../snapshot/restore/take-back.ts";
import { registerBackups } from "../../../vault/backup/restore.ts";
import { registerDeletions } from "../../../vault/delete-session.ts";

/** Registers everything that can be taken back, whether by `undo` or because a command was killed. */
export function registerTakingBack(): void {
  registerConversions();
  registerDeletions();
  registerBackups();
  registerSettings();
  registerSlash();
  registerMemories();
  registerRestores();
}
