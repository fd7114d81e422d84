/** What a person typed, and what the program put before and behind it for the model. */
export interface TypedText {
  readonly before: string;
  readonly typed: string;
  readonly behind: string;
}

/**
 * A prompt taken apart. The program keeps it as it was typed and as the model was sent it, with the time and reminders
 * around it; where it was replaced altogether, all that was sent stands behind.
 */
export function typedText(typed: string, sent: string | undefined): TypedText {
  if (sent === undefined) return { before: "", typed, behind: "" };
  const at = sent.indexOf(typed);
  if (at < 0) return { before: "", typed, behind: sent };
  return { before: sent.slice(0, at), typed, behind: sent.slice(at + typed.length) };
}
