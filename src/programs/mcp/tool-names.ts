/** The tools by what an agent does with them. Help names them without loading them; a test compares the two. */
export const toolNames = {
  sessions: ["search_sessions", "list_sessions", "get_session", "handoff", "blame"],
  memories: ["recall", "remember", "propose_memory", "forget"],
  checkpoints: ["checkpoint", "rewind_plan"],
} as const;
