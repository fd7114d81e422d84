import { estimateTokens } from "../context/estimate.ts";
import type { OutgoingMessage } from "../model/outgoing.ts";

/** Where a conversation is cut so that its newest turns fit. */
export interface Cut {
  /** Messages before this index are replaced by a summary; none where it is 0. */
  readonly from: number;
  /** What all of it costs, and what is kept: more than the budget where the last step alone is. */
  readonly tokens: number;
  readonly keptTokens: number;
}

/** Windows of models whose names begin like this, in tokens; the longest match counts. */
const windows: Readonly<Record<string, number>> = {
  claude: 200_000,
  "gpt-5": 272_000,
  "gpt-4.1": 1_000_000,
  "gpt-4o": 128_000,
  o3: 200_000,
  "o4-mini": 200_000,
  "gemini-2": 1_000_000,
  "gemini-3": 1_000_000,
};

/** Share of a window that a conversation may fill when it arrives: instructions and answers need the rest. */
const share = 0.7;

/** How many tokens to bring to a model, where its window is known. */
export function budgetFor(model: string | undefined): number | undefined {
  const name = Object.keys(windows)
    .filter((prefix) => model?.startsWith(prefix))
    .sort((a, b) => b.length - a.length)[0];
  return name === undefined ? undefined : Math.floor(windows[name]! * share);
}

/** Measures a conversation and says where to cut it. */
export async function cutFor(
  messages: AsyncIterable<OutgoingMessage>,
  budgetTokens: number,
): Promise<Cut> {
  const turns: Piece[] = [];
  /** The steps of the newest turn. */
  let steps: Piece[] = [];
  let index = 0;
  let total = 0;
  for await (const message of messages) {
    const piece = { from: index, tokens: tokensOf(message) };
    if (message.role === "user" || message.role === "summary" || turns.length === 0) {
      turns.push({ ...piece });
      steps = [piece];
    } else {
      turns.at(-1)!.tokens += piece.tokens;
      if (message.role === "assistant") steps.push(piece);
      else steps.at(-1)!.tokens += piece.tokens;
    }
    total += piece.tokens;
    index += 1;
  }
  if (total <= budgetTokens) return { from: 0, tokens: total, keptTokens: total };
  // One turn of an agent left alone may be longer than any window: then its newest steps are kept.
  const last = steps.at(-1);
  const { from, tokens: keptTokens } = newestThatFit(turns, budgetTokens) ??
    newestThatFit(steps, budgetTokens) ?? { from: last?.from ?? 0, tokens: last?.tokens ?? total };
  return { from, tokens: total, keptTokens };
}

/** Messages that stay together: where they begin, and what they cost. */
interface Piece {
  readonly from: number;
  tokens: number;
}

function newestThatFit(pieces: readonly Piece[], budgetTokens: number): Piece | undefined {
  let kept: Piece | undefined;
  for (const piece of pieces.toReversed()) {
    const tokens = (kept?.tokens ?? 0) + piece.tokens;
    if (tokens > budgetTokens) break;
    kept = { from: piece.from, tokens };
  }
  return kept;
}

function tokensOf(message: OutgoingMessage): number {
  switch (message.role) {
    case "summary":
      return estimateTokens(message.text);
    case "user":
      return sum(message.content.map(blockTokens));
    case "assistant":
      return sum(
        message.content.map((part) =>
          part.type === "tool_use" ? estimateTokens(JSON.stringify(part.input)) : blockTokens(part),
        ),
      );
    case "results":
      return sum(message.results.flatMap(({ content }) => content.map(blockTokens)));
  }
}

/** What providers count for an image of ordinary size. */
const imageTokens = 1_500;

function blockTokens(block: { readonly type: string; readonly text?: string }): number {
  return block.text === undefined ? imageTokens : estimateTokens(block.text);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
