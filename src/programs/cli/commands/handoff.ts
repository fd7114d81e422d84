import { RepriseError } from "../../../base/errors.ts";
import { handover } from "../../../context/handover.ts";
import { sourceEvents } from "../../../convert/source.ts";
import type { SessionEvent } from "../../../model/event.ts";
import { maskText } from "../../../redact/mask.ts";
import type { Command } from "../command.ts";
import { referenceTo, resolveReference } from "../reference.ts";

const defaultTokens = 2_000;

/** Events a hand-over looks at: the first quarter of them from the beginning, the rest from the end. */
const lookedAt = 2_000;
/** Characters of one text it looks at: what is picked out of one is a sentence or a line. */
const lookedAtChars = 8_000;

const conversation: ReadonlySet<string> = new Set([
  "user",
  "assistant",
  "tool_use",
  "tool_result",
  "compaction",
]);

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
    const path: SessionEvent[] = [];
    let id = 0;
    for await (const { at, body } of sourceEvents({
      agent: session.agent,
      ref: session.ref,
      at: session.event,
    })) {
      id += 1;
      path.push({ id, at: at ?? "", ...shortened(body) });
      if (path.length > lookedAt) path.splice(lookedAt / 4, 1);
    }
    if (!path.some(({ type }) => conversation.has(type))) {
      throw new RepriseError("bad_input", "The session holds nothing to hand over.", {
        hint: "Nobody has said anything in it yet.",
      });
    }
    const { text, found } = maskText(
      handover(path, { budgetTokens: flags.number("budget") ?? defaultTokens }),
    );
    if (context.json)
      return context.out.writeJson({ ref: referenceTo(session), text, masked: found });
    await context.out.write(`${text.trimEnd()}\n`);
  },
};

/** The same body with long texts cut, so that a large session stays a small page in memory. */
function shortened<T>(value: T, depth = 0): T {
  if (typeof value === "string") {
    if (value.length <= lookedAtChars) return value;
    // A copy: a slice would keep the whole text alive.
    return Buffer.from(`${value.slice(0, lookedAtChars).toWellFormed()}…`).toString() as T;
  }
  if (typeof value !== "object" || value === null || depth > 4) return value;
  if (Array.isArray(value)) return value.map((item) => shortened(item, depth + 1)) as T;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [key, shortened(field, depth + 1)]),
  ) as T;
}
