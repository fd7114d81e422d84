/** A command that is typed in an agent: a page that says its model what to do. */
export interface SlashCommand {
  readonly name: string;
  readonly says: string;
  /** What may follow it. */
  readonly hint?: string;
  /** The page; `program` starts reprise, `given` stands for what was typed behind the command. */
  page(words: { readonly program: string; readonly given: string }): string;
}

/** Every command that is installed, in the order they are listed. */
export const slashCommands: readonly SlashCommand[] = [
  {
    name: "handoff",
    says: "Write a hand-off of this session for the person or agent that continues",
    hint: "[what to stress]",
    page: ({
      program,
      given,
    }) => `Make a hand-off of this session, so that another session, agent or person can continue.

1. Run \`${program} handoff @last\` and read what it prints.
2. Write down what it cannot know, one command each:
   - decisions and their reasons: \`${program} session note --kind decision "…"\`
   - what comes next: \`${program} session note --kind next "…"\`
   - what is open: \`${program} session note --kind question "…"\`
3. Show the finished hand-off to the user in a few lines.

What to stress, if anything: ${given}
`,
  },
  {
    name: "search",
    says: "Search the sessions of every agent",
    hint: "<words>",
    page: ({ program, given }) => `Search the user's earlier sessions, of every agent, for: ${given}

Run \`${program} search "<the words>"\` with the words as one quoted argument. Tell which sessions match and where, with
their references. \`${program} show <reference>\` shows one; look into it only as far as the question needs.
`,
  },
  {
    name: "resume",
    says: "Load the context of an earlier session",
    hint: "[session]",
    page: ({ program, given }) => `Load what is needed to continue an earlier session: ${given}

If no session is named, run \`${program} list --here\` and take the newest that is not this one. Then run
\`${program} session restore <reference>\` and read what it prints. Tell the user in three lines where that work stands,
check the named files before you rely on them, and ask what to do next. Change nothing yet.
`,
  },
  {
    name: "session-start",
    says: "Begin a session with a goal",
    hint: "<goal>",
    page: ({ program, given }) => `A piece of work begins. Its goal: ${given}

Run \`${program} session note --kind goal "<the goal in one sentence>"\`, then \`${program} ledger\`. Tell the user where the
ledger is and what it says that matters for this goal.
`,
  },
  {
    name: "session-update",
    says: "Note how far the work is",
    hint: "[remark]",
    page: ({ program, given }) => `Note how far this work is. A remark of the user, if any: ${given}

Say in one sentence each what was done since the last note and what comes next, and write it down:
\`${program} session note --kind done "…"\`, \`${program} session note --kind next "…"\`; decisions with
\`${program} session note --kind decision "…"\`.
`,
  },
  {
    name: "session-end",
    says: "End the session with a summary and a hand-off",
    hint: "[summary]",
    page: ({ program, given }) => `This piece of work ends. A summary of the user, if any: ${given}

Note what is still open with \`${program} session note --kind next "…"\`. Then run
\`${program} session end --summary "<the outcome, in one sentence>"\` and tell the user where the hand-off is.
`,
  },
  {
    name: "share",
    says: "Make one file of this session to share",
    hint: "[html or md]",
    page: ({
      program,
      given,
    }) => `Make a file of this session that can be shared, with secrets masked. Format, if named: ${given}

Run \`${program} share @last\` (\`--format md\` for Markdown). Tell the user where the file is and what was masked, and that
they should look at it before they pass it on. Nothing is sent anywhere.
`,
  },
];
