import { RepriseError } from "../../../base/errors.ts";
import type { SessionHead } from "../../../model/head.ts";
import type { FlagSpec, Invocation } from "../run/command.ts";

/** The explicit word for writing what a sealed session says where it can be read. */
export const unsealFlag: FlagSpec = {
  flags: "--unseal",
  says: "accept a sealed session; the output is not sealed",
  kind: "switch",
};

/** Refuses to write what a sealed session says, unless the user said so. */
export function refuseSealed(head: SessionHead, { flags }: Invocation): void {
  if (head.sealed !== true || flags.isSet("unseal")) return;
  throw new RepriseError(
    "sealed",
    `Session ${head.session} is sealed, and what this writes could be read by anybody.`,
    { hint: "Nothing was written. Give --unseal if that is what you want." },
  );
}
