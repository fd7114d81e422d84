/** What stands before the output of a command that Codex ran: facts about the run, a line each, then `Output:`. */
const frame =
  /^(?:(?:Chunk ID|Wall time|Process exited with code|Exit code|Process running with session ID|Original token count|Total output lines)\b[^\n]{0,200}\n){1,8}Output:(?:\n|$)/;

/** The output of a command without the frame that Codex puts around it; any other text as it is. */
export function withoutExecFrame(text: string): string {
  return text.replace(frame, "");
}
