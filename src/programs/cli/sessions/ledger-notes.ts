import { loadNotes } from "../../../agents/registry.ts";
import { isoNow } from "../../../base/clock.ts";
import { bySection, foreignNotes } from "../../../bridge/foreign/read.ts";
import type { Facts } from "../../../bridge/ledger/facts.ts";
import { encodeNote, type NoteKind } from "../../../bridge/ledger/note.ts";
import { withoutSecrets } from "../../../bridge/ledger/secrets.ts";
import { type LedgerUpdate, updateLedger } from "../../../bridge/ledger/update.ts";
import { appendWhole } from "../../../bridge/team/log.ts";
import type { SessionInHand } from "./session-in-hand.ts";

/** Writes a note down for a session and takes it into its ledger; secrets are hidden first. */
export async function addNote(
  session: SessionInHand,
  note: { readonly kind: NoteKind; readonly text: string },
): Promise<string> {
  const text = withoutSecrets(note.text);
  appendWhole(session.ledger.notes, encodeNote({ at: isoNow(), kind: note.kind, text }));
  await renewLedger(session, {});
  return text;
}

/** Takes what was learnt, noted and found in other programs' files into a session's ledger. */
export async function renewLedger(
  { agent, session, ledger }: Pick<SessionInHand, "agent" | "session" | "ledger">,
  facts: Facts,
): Promise<LedgerUpdate> {
  const nowMs = Date.now();
  const about = { project: ledger.project.path, session, nowMs };
  const foreign = bySection(foreignNotes(await loadNotes(), about));
  return updateLedger(ledger, { owner: { agent, session }, facts, foreign, nowMs });
}
