import { RepriseError } from "../../base/errors.ts";
import type { Belongings } from "../belongings-contract.ts";
import type { SessionRef } from "../contract.ts";

/** Always `unsupported`: an export is a file of the user's own, and is never changed. */
export async function belongings(_ref: SessionRef): Promise<Belongings> {
  throw new RepriseError(
    "unsupported",
    "An export is your own file and is never changed; a conversation in it cannot be deleted from here.",
    { hint: "`reprise sources remove <path>` takes the export out of lists and searches." },
  );
}
