/**
 * What every agent is at. A number is raised when the same bytes give other sessions or other events: what was
 * derived from them is made anew.
 */
export const revisions: Readonly<Record<string, number>> = {
  reprise: 1,
  "claude-code": 2,
  codex: 2,
  "gemini-cli": 1,
  opencode: 1,
  pi: 1,
  aider: 1,
};
