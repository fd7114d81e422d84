import { exists } from "../../../base/disk.ts";
import { RepriseError } from "../../../base/errors.ts";
import { smallFile } from "../../../base/folders.ts";
import { limits } from "../../../base/limits.ts";
import { factsOfPath } from "../../../bridge/ledger/learn.ts";
import { sessionPath } from "../../../bridge/state/session-path.ts";
import type { Command } from "../run/command.ts";
import { renewLedger } from "../sessions/ledger-notes.ts";
import { type SessionInHand, sessionInHand } from "../sessions/session-in-hand.ts";
import { safeText } from "../terminal/terminal-text.ts";

/** `reprise ledger`: the page that is kept about a session, and where to edit it. */
export const ledger: Command = {
  name: "ledger",
  summary: "show the page kept about a session: goal, decisions, open questions",
  details: `Hooks update the page while the agent runs. You may edit it: lines you wrote or changed stay, lines you removed do
not come back, and what you add reaches the model with the next prompt. Delete the file to start again. No page is kept for
a sealed session.`,
  args: [
    {
      name: "[ref...]",
      says: "the session (default: the one the agent runs in, or the newest of this project)",
    },
  ],
  flags: [
    { flags: "--path", says: "print only its path", kind: "switch" },
    {
      flags: "--renew",
      says: "read the session again and update the page",
      kind: "switch",
    },
  ],
  examples: [
    { line: "reprise ledger", says: "the current session" },
    { line: '$EDITOR "$(reprise ledger --path)"', says: "edit it" },
    { line: "reprise ledger 3f9a --renew", says: "of a session that had no hooks" },
  ],
  json: "{ ref: string, path: string, handoff: string, text?: string }",
  run: async ({ args, flags }, context) => {
    const inHand = sessionInHand(args.join(" "), context);
    const { ledger: path, handoff } = inHand.ledger;
    if (inHand.isSealed) throw noLedger(inHand);
    let text = smallFile(path, limits.ledgerBytes);
    if (inHand.found !== undefined && (flags.isSet("renew") || text === undefined)) {
      await renewLedger(inHand, factsOfPath(await sessionPath({ ...inHand.found, at: undefined })));
      text = smallFile(path, limits.ledgerBytes);
    }
    const ref = `${inHand.agent}:${inHand.session}`;
    if (context.json) {
      return context.out.writeJson({ ref, path, handoff, ...(text !== undefined && { text }) });
    }
    if (flags.isSet("path")) return context.out.write(`${path}\n`);
    if (text === undefined) {
      throw new RepriseError("not_found", `There is no ledger of ${ref} yet.`, {
        hint: "Hooks keep one: `reprise hooks install`.",
      });
    }
    await context.out.write(safeText(text));
    context.out.note(path);
  },
};

function noLedger({ session, ledger: { folder } }: SessionInHand): RepriseError {
  // Older versions kept one.
  const hint = exists(folder)
    ? `What an older version kept of it can be read by anybody; delete ${folder}.`
    : "`reprise handoff` prints a page about it.";
  return new RepriseError("sealed", `Session ${session} is sealed: no page is kept about it.`, {
    hint,
  });
}
