/**
 * Where a reader's live path rightly differs from what the program itself sends on resume. `index` is
 * the place in the recorded request or outline of the scenario; what stands there is not expected.
 */
export const acceptedDifferences: readonly {
  readonly agent: string;
  readonly scenario: string;
  readonly index: number;
  readonly reason: string;
}[] = [
  {
    agent: "opencode",
    scenario: "1.18.33/killed-in-tool",
    index: 2,
    reason:
      "The program makes up an error result for a call that was killed; the store holds none, so the reader tells the open call and no result.",
  },
  {
    agent: "codex",
    scenario: "0.166.0/killed-midtool",
    index: 3,
    reason:
      'The program sends the output "aborted" for a call that was killed; the file holds none, so the reader tells the open call and no result.',
  },
  {
    agent: "codex",
    scenario: "0.105.0/compacted",
    index: 6,
    reason:
      "The newer program that resumed this older session wrote that the AGENTS.md text no longer applies; the file does not hold this note.",
  },
  {
    agent: "claude-code",
    scenario: "2.1.325/killed-midtool",
    index: 3,
    reason:
      "The program makes up an error result for a call that was killed; the file holds none, so the reader tells the open call and no result.",
  },
  {
    agent: "claude-code",
    scenario: "2.1.325/killed-midtool",
    index: 4,
    reason: "The program fills the missing answer with a sentence of its own when it resumes.",
  },
  {
    agent: "claude-code",
    scenario: "2.1.325/tui-rewind-interrupt",
    index: 12,
    reason: "The program fills the missing answer with a sentence of its own when it resumes.",
  },
];
