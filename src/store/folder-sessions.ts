import { join } from "node:path";
import { checkSessionId } from "../base/ids.ts";
import type { SessionStart } from "../model/event.ts";
import { FileLog, type FileLogOptions } from "./file-log.ts";
import { fileNameOf, type Home } from "./home.ts";
import { findSessionFile, refuseUsedId } from "./locate.ts";
import { noSession } from "./log-store.ts";
import type { SessionLog } from "./session-log.ts";
import { makeStoreFolder } from "./store-folder.ts";

/** Makes a session in the folder of a flat store; an id that is taken is refused. */
export function createInFolder(
  home: Home,
  start: SessionStart,
  options: FileLogOptions,
): SessionLog {
  checkSessionId(start.session);
  refuseUsedId(home, home.sessions, start.session);
  makeStoreFolder(home);
  return FileLog.create(home, join(home.sessions, fileNameOf(start.session)), start, options);
}

/** Opens a session of such a store; throws `not_found` if there is none. */
export function openInFolder(home: Home, session: string, options: FileLogOptions): SessionLog {
  const file = findSessionFile(home, session);
  if (file === undefined) throw noSession(session);
  return FileLog.open(home, file, options);
}
