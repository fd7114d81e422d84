import { basename } from "node:path";
import { RepriseError } from "../../base/errors.ts";
import type { Belongings } from "../belongings-contract.ts";
import type { SessionRef } from "../contract.ts";
import { databaseFiles } from "../whole-file.ts";
import {
  type CheckpointPlace,
  checkpointFiles,
  checkpointFolder,
  checkpointRows,
  lineagesOf,
} from "./checkpoint-list.ts";
import { partOf } from "./part.ts";
import { checkpoints, databases, flowStates, pendingFeedback } from "./stores.ts";

/** The rows of a flow, a line of checkpoints with its branches, or the database of the last run or of older memory. */
export async function belongings(ref: SessionRef): Promise<Belongings> {
  const { path: database } = ref;
  const { kind, id } = partOf(ref);
  switch (kind) {
    case "flow": {
      const tables = [flowStates.table, pendingFeedback.table];
      const rows = tables.map((table) => ({ database, table, column: "flow_uuid", value: id }));
      return { files: [], rows };
    }
    case "checkpoints": {
      const { table } = checkpoints;
      const ids = lineIn(checkpointRows(database)?.places ?? [], id).map((place) => place.id);
      return { files: [], rows: ids.map((value) => ({ database, table, column: "id", value })) };
    }
    case "files": {
      const places = lineIn(checkpointFiles(checkpointFolder(database)), id);
      return { files: places.flatMap(({ path }) => path ?? []) };
    }
    case "kickoff":
    case "memory":
      // In a database of another name may be more than this.
      if (databases.some(({ name }) => name === basename(database)))
        return { files: databaseFiles(database) };
  }
  throw new RepriseError(
    "unsupported",
    "This holds more than what is shown of it; it cannot be deleted from here.",
    { hint: `Delete it in CrewAI: it lies in ${database}.` },
  );
}

function lineIn(places: readonly CheckpointPlace[], root: string): readonly CheckpointPlace[] {
  return lineagesOf(places).find((one) => one.root === root)?.places ?? [];
}
