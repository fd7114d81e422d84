/** The agent's name in references. */
export const agentName = "cursor";
