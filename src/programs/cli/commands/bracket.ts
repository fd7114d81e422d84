import { referenceTo, resolveReference } from "../../../agents/reference.ts";
import { contextText } from "../render/context-text.ts";
import type { Command } from "../run/command.ts";
import { lookAtSession } from "../sessions/look-at-session.ts";
import { safeLine } from "../terminal/terminal-text.ts";

/** `reprise bracket`: how full a session's context is. */
export const bracket: Command = {
  name: "bracket",
  summary: "how full a session's context is",
  details: `By the newest token counts in the transcript: FRESH while 60 % of the window is left, MODERATE from 40 %,
DEPLETED from 25 %, CRITICAL below. docs/hooks.md says how to set other limits.`,
  args: [
    { name: "[ref...]", says: "the session; the newest one of this project if none is named" },
  ],
  flags: [],
  examples: [
    { line: "reprise bracket", says: "of the newest session" },
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
