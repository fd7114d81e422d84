import { renameSync, writeFileSync } from "node:fs";
import { limits } from "../../base/limits.ts";
import { makeFolder } from "../../base/make-folder.ts";
import type { InjectionContext } from "../inject/injection.ts";
import { handoffText } from "./handoff.ts";
import type { LedgerPlaces } from "./places.ts";
import { saidLast } from "./tail.ts";
import { readView } from "./view.ts";

/** Writes the page that carries a session over a compaction, in place of the one before. */
export function writeHandoff(
  ledger: LedgerPlaces,
  { event, state, hooks }: Pick<InjectionContext, "event" | "state" | "hooks">,
): void {
  const transcript = event.transcript ?? state.transcript;
  const said = transcript === undefined ? { prompts: [] } : saidLast(transcript, hooks);
  const view = readView(ledger) ?? [];
  const text = handoffText({ state, said, view }, { budgetTokens: limits.handoffTokens });
  makeFolder(ledger.folder);
  const temporary = `${ledger.handoff}.${process.pid}.tmp`;
  writeFileSync(temporary, `${text}\n`, { mode: 0o600 });
  renameSync(temporary, ledger.handoff);
}
