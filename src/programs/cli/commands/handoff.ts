import { RepriseError } from "../../../base/errors.ts";
import { saysAnything, sessionPath } from "../../../bridge/state/session-path.ts";
import { handover } from "../../../context/handover.ts";
import { createMasker } from "../../../redact/mask.ts";
import { maskValueWith } from "../../../redact/mask-value.ts";
import type { Command } from "../run/command.ts";
import { referenceTo, resolveReference } from "../sessions/reference.ts";
import { safeText } from "../terminal/terminal-text.ts";

const defaultTokens = 2_000;

/** `reprise handoff`: a session in a page, for any agent or person. */
export const handoff: Command = {
  name: "handoff",
  summary: "a session in a page of Markdown, for any agent or person",
  details: `Goal, state, decisions, files touched, open ends and the last exchange, within a token budget. Picked out of
the session without a model; secrets are masked.`,
  args: [{ name: "<ref...>", says: "the session, or the event to stop at: ref@57" }],
  flags: [
    {
      flags: "--budget <tokens>",
      says: `how long it may be; ${defaultTokens} otherwise`,
      kind: "count",
    },
  ],
  examples: [
    { line: "reprise handoff @last", says: "what the next one must know" },
    { line: "reprise handoff 3f9a --budget 800 | pbcopy", says: "short, into the clipboard" },
  ],
  json: "{ ref: string, text: string, masked: { rule: string, count: number }[] }",
  run: async ({ args, flags }, context) => {
    const session = resolveReference(args.join(" "), context);
    const path = await sessionPath({ agent: session.agent, ref: session.ref, at: session.event });
    if (!saysAnything(path)) {
      throw new RepriseError("bad_input", "The session holds nothing to hand over.", {
        hint: "Nobody has said anything in it yet.",
      });
    }
    const masker = createMasker();
    // Before anything is shortened: half a secret no longer looks like one.
    const safe = path.map((event) => maskValueWith(masker, event));
    const budgetTokens = flags.number("budget") ?? defaultTokens;
    const text = masker.text(handover(safe, { budgetTokens }));
    if (context.json) {
      const masked = masker.found();
      return context.out.writeJson({ ref: referenceTo(session), text, masked });
    }
    await context.out.write(`${safeText(text).trimEnd()}\n`);
  },
};
