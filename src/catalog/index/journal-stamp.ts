import { fileStat } from "../../base/folders.ts";
import type { Connection } from "../../sqlite/connection.ts";
import type { Home } from "../../store/home.ts";

/** What says one state of the journal from another, by stat alone. */
export function journalStamp(home: Home): string {
  const stat = fileStat(home.journal);
  return stat === undefined ? "none" : `${stat.sizeBytes}:${stat.modifiedMs}`;
}

/** A fact about the index itself. */
export function settingOf(connection: Connection, name: string): string | undefined {
  const row = connection.prepare("select value from setting where name = ?").get(name) as
    | { value: string }
    | undefined;
  return row?.value;
}

/** Whether the index has what the journal says. */
export function knowsJournal(connection: Connection, home: Home): boolean {
  return (settingOf(connection, "journal") ?? "none") === journalStamp(home);
}
