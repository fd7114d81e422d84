import { referenceTo, resolveReference } from "../../../agents/reference.ts";
import { contextText } from "../render/context-text.ts";
import type { Command } from "../run/command.ts";
import { lookAtSession } from "../sessions/look-at-session.ts";
import { safeLine } from "../terminal/terminal-text.ts";

/** `reprise bracket`: how full a session's context is. */
export const bracket: Command = {
  name: "bracket",
  summary: "report how full a session's context is",
  details: `Uses the newest token counts in the transcript. FRESH: at least 60 % of the window is left; MODERATE: at least
40 %; DEPLETED: at least 25 %; CRITICAL: less. See docs/hooks.md for other limits.`,
  args: [{ name: "[ref...]", says: "the session (default: the newest of this project)" }],
  flags: [],
  examples: [
    { line: "reprise bracket", says: "for the newest session" },
    { line: "reprise bracket 3f9a --json", says: "for a script" },
  ],
  json: `{ ref: string, bracket: "FRESH" | "MODERATE" | "DEPLETED" | "CRITICAL", leftPercent: number,
  tokens: number, windowTokens: number, from: "transcript" | "payload" | "estimate", model?: string,
  state?: State }`,
  run: async ({ args }, context) => {
    const session = resolveReference(args.length === 0 ? "@last" : args.join(" "), context);
    const look = await lookAtSession(session, context);
    if (context.json) {
      const { leftPercent, context: size, state } = look;
      const { tokens, windowTokens, from, model } = size;
      return context.out.writeJson({
        ref: referenceTo(session),
        bracket: look.bracket,
        leftPercent: Math.round(leftPercent * 10) / 10,
        ...{ tokens, windowTokens, from },
        ...(model !== undefined && { model }),
        ...(state !== undefined && { state }),
      });
    }
    await context.out.write(
      `${contextText(look, context.colours)}  ${safeLine(referenceTo(session))}\n`,
    );
  },
};
