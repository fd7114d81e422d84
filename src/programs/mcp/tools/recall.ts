import { z } from "zod";
import { isRepriseError } from "../../../base/errors.ts";
import { limits } from "../../../base/limits.ts";
import type { Answer, Counterpart, RecalledEntry } from "../../../memory/recall/answer.ts";
import { recall } from "../../../memory/recall/recall.ts";
import { createMasker } from "../../../redact/mask.ts";
import { ownAgent } from "../../../store/own-agent.ts";
import { type Item, label } from "../answer.ts";
import { everywhere, maxTokens, words } from "../fields.ts";
import { evidenceLine, provenanceText } from "../memories.ts";
import { isOwnConversation } from "../own-conversation.ts";
import { openSession } from "../sessions.ts";
import { type McpCall, tool } from "../tool.ts";

/** `recall`: what memories and sessions say about a question. */
export const recallTool = tool({
  name: "recall",
  title: "Recall",
  description:
    "Answers a question from the memories of this project and from what was said in sessions, with references. If a newer statement says otherwise, both are returned, the newer one first; a memory whose evidence has changed is marked stale.",
  input: z.object({
    question: words("What you want to know, in a sentence", limits.queryChars),
    everywhere,
    max_tokens: maxTokens,
  }),
  changes: "nothing",
  run: async ({ question, everywhere: isWide, max_tokens: tokens }, call) => {
    const isOwn = isOwnConversation(call);
    const { answers, besides, leftOut } = await recall(question, {
      env: call.env,
      owner: call.owner,
      nowMs: call.nowMs,
      freshenMs: limits.freshenMs,
      // The frames take the rest.
      budgetTokens: Math.floor(tokens * 0.7),
      filters: isWide ? [] : [{ key: "here", value: "", not: false }],
      takes: (turn) => !isOwn(turn),
      shownAs: createMasker().text,
    });
    const open = [...(await unsealed(answers, call)), ...besides];
    return {
      head: [
        open.length === 0
          ? "Nothing was found."
          : "The best answer first; a newer statement stands before the one it replaces. Other memories of the project come last.",
      ],
      items: open.map((answer) => (answer.kind === "entry" ? entryItem(answer) : turnItem(answer))),
      tail: ({ shown }) => {
        const rest = leftOut + open.length - shown;
        return rest > 0 ? `${rest} more did not fit; raise max_tokens.` : undefined;
      },
    };
  },
});

function turnItem({ ref, role, text, at, newer, older }: Exclude<Answer, RecalledEntry>): Item {
  const facts = [
    label(ref),
    ...(at === undefined ? [] : [at.slice(0, 16)]),
    ...marks(newer, older),
  ];
  return { pieces: [`- ${facts.join(" · ")}`, { text, from: ref, as: role }] };
}

function entryItem(entry: RecalledEntry): Item {
  const { ref, key, text, type, owner, provenance, evidence, isStale, newer, older, at } = entry;
  const facts = [
    `${entry.origins === undefined ? "memory" : "kept by an agent in"} ${label(ref)}`,
    ...(at === undefined ? [] : [at.slice(0, 10)]),
    provenanceText(provenance),
    `owner ${label(owner, 64)}`,
    ...(isStale ? ["stale: what it rests on has changed, so it is not a fact any more"] : []),
    ...marks(newer, older),
  ];
  const from = `memory:${ref}`;
  return {
    pieces: [
      `- ${facts.join(" · ")}`,
      { text: key, from, as: "key" },
      { text, from, as: type },
      ...evidenceLine(evidence),
    ],
  };
}

function marks(newer: readonly Counterpart[], older: readonly Counterpart[]): readonly string[] {
  const named = (others: readonly Counterpart[]): string =>
    others
      .slice(0, 3)
      .map(({ ref }) => label(ref))
      .join(", ");
  return [
    ...(newer.length > 0 ? [`may be outdated, see ${named(newer)}`] : []),
    ...(older.length > 0 ? [`says otherwise than ${named(older)}`] : []),
  ];
}

/** Without what sealed sessions say; only our own store seals. */
async function unsealed(answers: readonly Answer[], call: McpCall): Promise<readonly Answer[]> {
  const kept: Answer[] = [];
  for (const answer of answers) {
    const mayBeSealed = answer.kind === "turn" && answer.agent === ownAgent;
    if (!mayBeSealed || (await isOpen(`${answer.agent}:${answer.session}`, call)))
      kept.push(answer);
  }
  return kept;
}

async function isOpen(reference: string, call: McpCall): Promise<boolean> {
  try {
    await openSession(reference, call);
    return true;
  } catch (error) {
    if (isRepriseError(error)) return false;
    throw error;
  }
}
