import type { Belongings } from "../belongings-contract.ts";
import type { SessionRef } from "../contract.ts";

/** The rows of a thread; other threads of the database stay. */
export async function belongings({ path, part, session }: SessionRef): Promise<Belongings> {
  const rows = ["checkpoints", "writes", "checkpoint_blobs", "checkpoint_writes"].map((table) => {
    return { database: path, table, column: "thread_id", value: part ?? session };
  });
  return { files: [], rows };
}
