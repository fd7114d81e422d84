import { RepriseError } from "../base/errors.ts";
import type { SessionHead } from "../model/head.ts";

/** Throws `unsupported` if there is no conversation that could be continued; says what can be done instead. */
export function refuseKind({ agent, session, kind }: SessionHead): void {
  if (kind === undefined) return;
  const ref = `${agent}:${session}`;
  throw new RepriseError("unsupported", `${ref} holds ${kind}, not a conversation to continue.`, {
    hint: `Hand it over with \`reprise handoff ${ref}\`, or read it with \`reprise show ${ref}\`.`,
  });
}
