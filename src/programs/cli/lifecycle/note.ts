import { isoNow } from "../../../base/clock.ts";
import { RepriseError } from "../../../base/errors.ts";
import { noteKinds } from "../../../bridge/ledger/note.ts";
import { withoutSecrets } from "../../../bridge/ledger/secrets.ts";
import { plainName } from "../../../bridge/team/entry.ts";
import { appendTeam } from "../../../bridge/team/log.ts";
import type { CommandContext, Invocation } from "../run/command.ts";
import { addNote } from "../sessions/ledger-notes.ts";
import { isNative, openNative } from "../sessions/native.ts";
import { sessionInHand } from "../sessions/session-in-hand.ts";
import { safeLine } from "../terminal/terminal-text.ts";

/** Notes something in a session's ledger, and hands it to an agent where one is named. */
export async function noteOnSession(
  words: string,
  { flags }: Invocation,
  context: CommandContext,
): Promise<void> {
  if (words.trim() === "") {
    throw new RepriseError("usage", "There is nothing to note.", {
      hint: 'Say it: reprise session note "Redis stays".',
    });
  }
  const kind = noteKinds.find((name) => name === flags.text("kind")) ?? "note";
  const inHand = sessionInHand(flags.text("session"), context);
  const { ledger, found } = inHand;
  const hasEnds = flags.text("from") !== undefined || flags.text("to") !== undefined;
  if (inHand.isSealed && hasEnds) {
    throw new RepriseError("sealed", "A hand-over would say what a sealed session does.", {
      hint: "Nothing was written. Leave --from and --to out: the note is sealed in the session.",
    });
  }
  // Of a sealed session the note lies in the session alone.
  const note = { kind, text: words };
  const text = inHand.isSealed ? withoutSecrets(words) : await addNote(inHand, note);
  const from = plainName(flags.text("from") ?? context.env.variables["REPRISE_AGENT"] ?? "");
  const to = plainName(flags.text("to") ?? "");
  if (to !== "" || flags.text("from") !== undefined) {
    const ends = { ...(from !== "" && { from }), ...(to !== "" && { to }) };
    appendTeam(ledger.project, {
      kind: "handover",
      at: isoNow(),
      note: withoutSecrets(words),
      ...ends,
    });
  }
  if (found !== undefined && isNative(found)) {
    const session = openNative(found, context);
    await session.note(text).finally(() => session.close());
  }
  const ref = `${inHand.agent}:${inHand.session}`;
  const place = inHand.isSealed ? undefined : ledger.ledger;
  if (context.json) {
    return context.out.writeJson({
      ref,
      kind,
      text,
      ...(place !== undefined && { ledger: place }),
    });
  }
  context.out.note(`Noted for ${safeLine(ref)} in ${safeLine(place ?? "the session itself")}.`);
}
