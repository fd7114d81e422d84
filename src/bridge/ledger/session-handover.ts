import { type NamedSession, referenceTo } from "../../agents/reference.ts";
import { RepriseError } from "../../base/errors.ts";
import { handover, notesHandover } from "../../context/handover.ts";
import type { SessionEvent } from "../../model/event.ts";
import { createMasker, type Found } from "../../redact/mask.ts";
import { maskValueWith } from "../../redact/mask-value.ts";
import { saysAnything, sessionPath } from "../state/session-path.ts";

/** A session in a page, and what it was made of. */
export interface SessionHandover {
  readonly text: string;
  /** The events it was made of, secrets masked. */
  readonly path: readonly SessionEvent[];
  readonly masked: readonly Found[];
}

/** A session, up to the event that is named if one is, in a page within a budget; secrets are masked. */
export async function sessionHandover(
  session: NamedSession,
  { budgetTokens }: { readonly budgetTokens: number },
): Promise<SessionHandover> {
  const { agent, ref, event } = session;
  const name = event === undefined ? referenceTo(session) : `${referenceTo(session)}@${event}`;
  const given = await sessionPath({ agent, ref, at: event });
  const masker = createMasker();
  // Before anything is shortened: half a secret no longer looks like one.
  const path = given.map((one) => maskValueWith(masker, one));
  const made = saysAnything(given)
    ? handover(path, { budgetTokens, ref: name })
    : notes(path, budgetTokens);
  return { text: masker.text(made), path, masked: masker.found() };
}

function notes(path: readonly SessionEvent[], budgetTokens: number): string {
  const text = notesHandover(path, { budgetTokens });
  if (text !== "") return text;
  throw new RepriseError("bad_input", "The session holds nothing to hand over.", {
    hint: "Nobody has said anything in it yet.",
  });
}
