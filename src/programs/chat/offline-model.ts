import type { ContextMessage } from "../../context/messages.ts";
import type { Model, ModelPart } from "../../loop/model.ts";

/** Words that say nothing about what is asked. */
const plainWords = new Set(
  "a an and are as at be been but by can could did do does for from had has have he her his how i if in into is it its me mine of on or our s she so tell that the their them then there they this to us was we were what when where which who whom why will with would you your my about please again".split(
    " ",
  ),
);

const about =
  "I am the offline stand-in: no model, no network. I only recall what was said in this session.";

/**
 * Not a model: it finds what was said before that has most to do with what is asked, so that one can try how a conversation
 * is kept without a network.
 */
export const offlineModel: Model = {
  id: "offline",
  windowTokens: 100_000,
  async *stream({ messages }): AsyncGenerator<ModelPart> {
    const answer = recalled(messages);
    for (const text of answer.match(/.{1,16}/gs) ?? []) yield { type: "text", text };
    yield { type: "end", stopReason: "stop" };
  },
};

/** The answer to the newest prompt, out of what came before it. */
function recalled(messages: readonly ContextMessage[]): string {
  const at = messages.findLastIndex(({ role }) => role === "user");
  const question = at < 0 ? "" : textOf(messages[at]!);
  const wanted = wordsIn(question);
  const before = messages
    .slice(0, at)
    .filter(({ role }) => role === "user" || role === "assistant")
    .filter((message) => !isOwnAnswer(textOf(message)));
  const told = before.flatMap((message, index) =>
    sentencesIn(textOf(message)).map((sentence) => ({ sentence, index, role: message.role })),
  );
  let best:
    | { readonly sentence: string; readonly score: number; readonly role: string }
    | undefined;
  for (const { sentence, index, role } of told) {
    // Nobody wants to hear what was asked before.
    if (sentence.endsWith("?")) continue;
    const words = wordsIn(sentence);
    const shared = [...wanted].filter((word) => words.has(word)).length;
    if (shared === 0) continue;
    const score = shared + (role === "user" ? 0.5 : 0) + index / (1_000 * (before.length + 1));
    if (best === undefined || score > best.score) best = { sentence, score, role };
  }
  if (best !== undefined && (question.includes("?") || isQuestion(question))) {
    return `${best.role === "user" ? "You said" : "I said"}: ${best.sentence}`;
  }
  if (question.includes("?") || isQuestion(question))
    return `Nothing of that was said in this session. ${about}`;
  return `Noted. ${about}`;
}

function isOwnAnswer(text: string): boolean {
  return text.endsWith(about) || /^(?:You|I) said: /.test(text);
}

function isQuestion(text: string): boolean {
  return /^\s*(?:what|who|whom|when|where|which|why|how|do|does|did|is|are|can|tell|recall|remind)\b/i.test(
    text,
  );
}

function textOf({ content }: ContextMessage): string {
  return content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
}

function sentencesIn(text: string): readonly string[] {
  return text
    .split(/(?<=[.!?])\s+|\n+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "");
}

/** The words that matter, in their simplest form. */
function wordsIn(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const stems = words
    .filter((word) => !plainWords.has(word))
    .map((word) => word.replace(/(?<=...)s$/, ""));
  return new Set(stems);
}
