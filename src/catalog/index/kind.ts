/** What kind of text an event is, in the order of the numbers the index keeps. */
export const kinds = [
  "title",
  "user",
  "assistant",
  "thinking",
  "tool_use",
  "tool_result",
  "summary",
  "system",
  "note",
  "delegated",
] as const;

/** What an event is to a search. */
export type Kind = (typeof kinds)[number];

/** How much a word in such a text says: what people and models said stands above what tools put out. */
const weights: Readonly<Record<Kind, number>> = {
  title: 2,
  user: 1.125,
  assistant: 1,
  summary: 1,
  note: 1,
  delegated: 1,
  thinking: 0.75,
  tool_use: 0.75,
  tool_result: 0.5,
  system: 0.25,
};

/** The weight of a kind by its number. */
export function weightOf(kind: number): number {
  return weights[kinds[kind] ?? "system"];
}

/** How often a word counts for its session, where it stands in a text of a kind: a prompt says what a session is about. */
const shares: Readonly<Record<Kind, number>> = {
  title: 4,
  user: 2,
  assistant: 1,
  summary: 1,
  note: 1,
  delegated: 1,
  thinking: 0.5,
  tool_use: 1,
  tool_result: 0.25,
  system: 0.25,
};

/** What a word in a text counts for its session, by the number of the text's kind. */
export function shareOf(kind: number): number {
  return shares[kinds[kind] ?? "system"];
}

/** The number the index keeps for a kind. */
export function kindNumber(kind: Kind): number {
  return kinds.indexOf(kind);
}

/** Who speaks, as `role:` names them, and the kinds it means; what an agent asks a subagent to do is not what people said. */
export const roles: Readonly<Record<string, readonly Kind[]>> = {
  user: ["user"],
  assistant: ["assistant"],
  thinking: ["thinking"],
  tool: ["tool_use", "tool_result"],
  call: ["tool_use"],
  result: ["tool_result"],
  summary: ["summary"],
  system: ["system"],
  note: ["note"],
  title: ["title"],
  delegated: ["delegated"],
};
