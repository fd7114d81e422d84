import type { Belongings } from "../belongings-contract.ts";
import type { SessionRef } from "../contract.ts";
import { runsOf } from "./runs.ts";

/** The piece of a history that is one run; the runs around it stay. */
export async function belongings({ path, part }: SessionRef): Promise<Belongings> {
  const run = runsOf(path).find(({ ordinal }) => String(ordinal) === part);
  if (run === undefined) return { files: [] };
  return { files: [], pieces: [{ path, offset: run.offset, sizeBytes: run.end - run.offset }] };
}
