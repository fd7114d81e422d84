/**
 * Lets another program have the terminal. Ctrl-C reaches every program there and is for that one alone: who died of it
 * would give the terminal back to the shell while the other still reads its keys.
 */
export async function lendTerminal<T>(toProgram: () => Promise<T>): Promise<T> {
  const ignore = (): void => {};
  process.on("SIGINT", ignore);
  try {
    return await toProgram();
  } finally {
    process.off("SIGINT", ignore);
  }
}
