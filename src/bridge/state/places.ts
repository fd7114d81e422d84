import { join } from "node:path";
import { fingerprint } from "../../base/fingerprint.ts";
import { ownFolder } from "../../base/own-folder.ts";

/** Where the bridge keeps what it knows of one session, and what it shares. */
export interface BridgePlaces {
  /** The bridge's own folder below the home of reprise. */
  readonly root: string;
  /** The session's log, one line an event. */
  readonly log: string;
  readonly snapshot: string;
  /** Held while the snapshot is written. */
  readonly lock: string;
  /** Where log and snapshot lie once the session was idle for a day. */
  readonly archivedLog: string;
  readonly archivedSnapshot: string;
  readonly settings: string;
}

/** The bridge's folder in the home of reprise. */
export function bridgeRoot(variables: Readonly<Record<string, string | undefined>>, home: string) {
  return join(ownFolder({ variables, platform: process.platform, home }), "bridge");
}

/** The places of a session; its id only ever becomes a hash (P10). */
export function placesOf(root: string, agent: string, session: string): BridgePlaces {
  const name = fingerprint(session);
  const at = (folder: string, ending: string): string => join(folder, `${name}.${ending}`);
  const folder = join(root, agent);
  const archive = join(root, "archive", agent);
  return {
    root,
    log: at(folder, "jsonl"),
    snapshot: at(folder, "json"),
    lock: at(folder, "lock"),
    archivedLog: at(archive, "jsonl"),
    archivedSnapshot: at(archive, "json"),
    settings: join(root, "settings.json"),
  };
}
