import type { Belongings } from "./belongings-contract.ts";
import type { SessionRef } from "./contract.ts";

/** What belongs to a session that is one file and nothing else. */
export async function wholeFile({ path }: SessionRef): Promise<Belongings> {
  return { files: [path] };
}
