import type { Connection } from "../../sqlite/connection.ts";
import { settingOf } from "./journal-stamp.ts";
import { sourceState } from "./schema.ts";

/** Lets the text of sealed sessions into the index from now on; a rebuilt index leaves it out again. */
export function includeSealed(connection: Connection): void {
  connection
    .prepare("insert or replace into setting (name, value) values ('sealed', 'included')")
    .run();
  connection.prepare("update source set modified = -1 where state = ?").run(sourceState.sealed);
}

/** Whether the user wants the text of sealed sessions in the index. */
export function includesSealed(connection: Connection): boolean {
  return settingOf(connection, "sealed") === "included";
}
