/** The tables of OpenCode 1.18 that are read, empty. */
export const tables: string;
