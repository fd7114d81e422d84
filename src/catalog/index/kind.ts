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
] as const;

export type Kind = (typeof kinds)[number];

/** How much a hit in such a text says: what people and models said stands above tool noise. */
const weights: Readonly<Record<Kind, number>> = {
  title: 4,
  user: 3,
  assistant: 2,
  summary: 1.5,
  note: 1.5,
  thinking: 1,
  tool_use: 0.8,
  tool_result: 0.5,
  system: 0.3,
};

/** The weight of a kind by its number. */
export function weightOf(kind: number): number {
  return weights[kinds[kind] ?? "system"];
}

/** The number the index keeps for a kind. */
export function kindNumber(kind: Kind): number {
  return kinds.indexOf(kind);
}

/** Who speaks, as `role:` names them, and the kinds it means. */
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
};
