/** The bounds of the MCP server; a part of `limits`. */
export const mcpLimits = {
  /** One message of a client, and calls that wait for others. */
  mcpLineBytes: 4 * 1024 * 1024,
  mcpWaitingCalls: 4_096,
  /** How long it answers what was asked before its client closed. */
  mcpLastAnswersMs: 1_000,
  /** Tokens of an answer: unless told, at least and at most. */
  mcpTokens: 2_000,
  mcpTokensLeast: 300,
  mcpTokensMost: 10_000,
  /** A memory that a client gives, in characters. */
  mcpMemoryChars: 16 * 1024,
} as const;
