/** The name that sessions of our own store go by among the agents. */
export const ownAgent = "reprise";
