import { type NamedSession, referenceTo, resolveReference } from "../../../agents/reference.ts";
import { contextText } from "../render/context-text.ts";
import type { Command } from "../run/command.ts";
import { lookAtSession } from "../sessions/look-at-session.ts";
import { safeLine } from "../terminal/terminal-text.ts";

/** `reprise bracket`: how full a session's context is. */
export const bracket: Command = {
  name: "bracket",
  summary: "show how full the context of a session is, and what to do then",
  details: `Uses the newest token counts in the transcript; if there are none, the size of its text. With --json the
bracket is a word: FRESH if at least 60 % of the window is left, MODERATE at least 40 %, DEPLETED at least 25 %, CRITICAL less.
See docs/hooks.md for other limits. If little is left, \`reprise resume <ref> --budget 50000\`
continues a shorter copy, and \`reprise handoff <ref>\` writes a summary for a new session.`,
  args: [{ name: "[ref...]", says: "the session (default: the newest of this project)" }],
  flags: [],
  examples: [
    { line: "reprise bracket", says: "for the newest session" },
    { line: "reprise bracket 3f9a --json", says: "for a script" },
  ],
  json: `{ ref: string, bracket: "FRESH" | "MODERATE" | "DEPLETED" | "CRITICAL", leftPercent: number,
  tokens: number, windowTokens: number, windowAssumed?: true, from: "transcript" | "payload" | "estimate", model?: string,
  state?: State }`,
  run: async ({ args }, context) => {
    const session = resolveReference(args.length === 0 ? "@last" : args.join(" "), context);
    const look = await lookAtSession(session, context);
    if (context.json) {
      const { leftPercent, context: size, state } = look;
      const { tokens, windowTokens, windowAssumed, from, model } = size;
      return context.out.writeJson({
        ref: referenceTo(session),
        bracket: look.bracket,
        leftPercent: Math.round(leftPercent * 10) / 10,
        ...{ tokens, windowTokens, from },
        ...(windowAssumed !== undefined && { windowAssumed }),
        ...(model !== undefined && { model }),
        ...(state !== undefined && { state }),
      });
    }
    const ref = safeLine(referenceTo(session));
    await context.out.write(`${contextText(look, context.colours)}  ${ref}\n`);
    if (look.context.windowAssumed === true) context.out.note(assumedWindow);
    if (look.bracket === "DEPLETED" || look.bracket === "CRITICAL")
      for (const line of waysOut(ref, session)) context.out.note(line);
  },
};

const assumedWindow =
  "The model's window is not known: 200k is assumed. Set `windowTokens` in the hooks' settings (docs/hooks.md).";

/** What can be done about a context that is nearly full. */
function waysOut(ref: string, { agent }: NamedSession): readonly string[] {
  const shorter = `Continue a shorter copy: \`reprise resume ${ref} --budget 50000\`.`;
  return [
    ...(agent.writer === undefined ? [] : [shorter]),
    `Begin a new session from a summary: \`reprise handoff ${ref}\`.`,
  ];
}
