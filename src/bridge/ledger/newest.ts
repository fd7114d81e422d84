import { smallFile } from "../../base/folders.ts";
import { asNumber, asString, parseObject } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";
import { type LedgerPlaces, ledgerPlaces, type ProjectPlaces } from "./places.ts";

/** The session of a project whose ledger was written last. */
export interface Newest {
  readonly agent: string;
  readonly session: string;
  readonly atMs: number;
  readonly places: LedgerPlaces;
}

/** The newest ledger of a project; undefined if there is none, or the folder is another project's. */
export function newestLedger(project: ProjectPlaces): Newest | undefined {
  const record = parseObject(smallFile(project.newest, limits.chunkBytes) ?? "");
  const agent = asString(record?.["agent"]);
  const session = asString(record?.["session"]);
  if (agent === undefined || session === undefined || record?.["path"] !== project.path)
    return undefined;
  const places = ledgerPlaces(project, { agent, session });
  return { agent, session, atMs: asNumber(record["atMs"]) ?? 0, places };
}
