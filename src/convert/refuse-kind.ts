import { RepriseError } from "../base/errors.ts";
import type { SessionHead } from "../model/head.ts";
import { nameOfHead } from "../model/head-name.ts";

/** Throws `unsupported` if there is no conversation that could be continued; says what can be done instead. */
export function refuseKind(head: SessionHead): void {
  const { kind } = head;
  if (kind === undefined) return;
  const ref = nameOfHead(head);
  throw new RepriseError("unsupported", `${ref} holds ${kind}, not a conversation to continue.`, {
    hint: `Hand it over with \`reprise handoff ${ref}\`, or read it with \`reprise show ${ref}\`.`,
  });
}
