import { expect, test } from "vitest";
import { estimateTokens } from "../../src/context/estimate.ts";
import { handover } from "../../src/context/handover.ts";
import { summarise } from "../../src/context/summarise.ts";
import type { EventBody } from "../../src/model/event.ts";
import { assistant, call, chain, result, user } from "./events.ts";

const patch =
  "*** Begin Patch\n*** Update File: src/limit.ts\n@@\n-1\n+2\n*** Add File: src/new.ts\n+x\n*** End Patch";
const session: readonly EventBody[] = [
  {
    type: "session_start",
    format: 1,
    session: "s",
    cwd: "/repo",
    git: { branch: "main" },
    model: "model-a",
  },
  { type: "user", content: "reminder of a program", injected: true },
  user("Add rate limiting to the API.\nKeep it small."),
  assistant("I looked around. We decided to use a token bucket because it allows bursts."),
  call("read", { name: "Read", input: { file_path: "src/server.ts" } }),
  result("read"),
  call("edit", { name: "Edit", input: { file_path: "src/server.ts", old_string: "a" } }),
  result("edit"),
  call("failed-edit", { name: "Write", input: { file_path: "src/refused.ts" } }),
  { type: "tool_result", call: "failed-edit", content: "denied", isError: true },
  call("patch", { name: "apply_patch", input: { input: patch } }),
  result("patch"),
  call("test", { name: "shell", input: { command: ["bash", "-lc", "npm test"] } }),
  { type: "tool_result", call: "test", content: "1 test failed", details: { exitCode: 1 } },
  call("todo", {
    name: "TodoWrite",
    input: {
      todos: [
        { content: "Fix the test", status: "in_progress" },
        { content: "Old", status: "completed" },
      ],
    },
  }),
  result("todo"),
  { type: "task", task: "t1", title: "Write docs", status: "open" },
  { type: "task", task: "t2", title: "Gone", status: "done" },
  assistant("The limiter works, one test fails."),
  user("Fix the failing test please"),
  call("open", { name: "Bash", input: { command: "npx vitest run" } }),
];

test("a summary tells goal, requests, decisions, files, commands, open ends and the last exchange", () => {
  expect(summarise(chain(...session))).toBe(`# Summary

## Goal

> Add rate limiting to the API.
> Keep it small.

## Later requests

- Fix the failing test please

## Decisions

- We decided to use a token bucket because it allows bursts.

## Files touched

- src/server.ts (changed)
- src/limit.ts (changed)
- src/new.ts (created)

## Commands

- \`npm test\` failed: exit 1: 1 test failed
- \`npx vitest run\`

## Open ends

- Not answered yet: Fix the failing test please
- Call without a result: Bash npx vitest run
- Task: Write docs
- Step: Fix the test

## Last request

> Fix the failing test please

## Last answer

> The limiter works, one test fails.`);
});

test("a hand-over says where the work stands", () => {
  const text = handover(chain(...session));
  for (const part of [
    "# Handoff",
    "## Goal",
    "- Directory: /repo",
    "- Began on branch: main",
    "- Model: model-a",
    "2 requests, 3 files changed, 2 commands run, 1 failed",
    "## Open ends",
    "## Last answer",
  ]) {
    expect(text).toContain(part);
  }
});

test("a hand-over names its session, keeps a plan of forty rows whole, and counts failures only if there are some", () => {
  const rows = Array.from(
    { length: 40 },
    (_, n) => `| rule ${n} | what must never be done in case ${n} |`,
  );
  const plan = ["Implement this plan:", "", "| rule | why |", "|---|---|", ...rows, "", "The end."];
  const events = chain(
    user(plan.join("\n")),
    assistant("Now I must pass it to the runner. The 3 failures are there because of the change."),
    assistant("I need to find the place. We chose a skip list instead of a flag."),
    call("test", { name: "Bash", input: { command: "npm test | tail" } }),
    result("test"),
  );
  const text = handover(events, { budgetTokens: 3000, ref: "codex:0199@57" });
  expect(text).toContain("`reprise show codex:0199@57`");
  expect(text).toContain("> The end.");
  expect(text).toContain("## Decisions\n\n- We chose a skip list instead of a flag.\n\n##");
  expect(text).toContain("1 command run\n");
  const short = handover(events, { budgetTokens: 600 });
  expect(short).toMatch(/\n> … and \d+ more lines\n/);
});

test("of many commands the last are told, and of a failure what the command said without Codex's frame", () => {
  const frame = [
    "Chunk ID: f5c142",
    "Wall time: 0.0001 seconds",
    "Process exited with code 1",
    "Original token count: 18",
    "Output:",
  ].join("\n");
  const runs = Array.from({ length: 20 }, (_, n) => [
    call(`c${n}`, { name: "exec", input: { command: `step ${n}` } }),
    { ...result(`c${n}`, `${frame}\nno such step`), isError: true, details: { exitCode: 1 } },
  ]).flat();
  const text = handover(chain(user("Do all steps"), ...runs));
  expect(text).toContain("## Commands\n\n5 other commands are left out.\n\n- `step 5` failed");
  expect(text).toContain("- `step 19` failed: exit 1: no such step");
  expect(text).not.toContain("Chunk ID");
});

test("of many commands the last and what failed are told before what succeeded, and what only looked goes first", () => {
  const run = (name: string, command: string): readonly EventBody[] => [
    call(name, { name: "Bash", input: { command } }),
    name.startsWith("bad")
      ? { type: "tool_result", call: name, content: "broken", details: { exitCode: 2 } }
      : result(name),
  ];
  const looks = Array.from({ length: 30 }, (_, n) => [
    ...run(
      `look${n}`,
      n % 2 ? `rg "part|${n}" a.ts 2>/dev/null | head` : `cd src && git log -${n + 1}`,
    ),
    ...run(`made${n}`, `echo ${n} > part-${n}`),
  ]).flat();
  const commands = [...run("bad1", "npm test"), ...run("bad2", "ls gone"), ...looks];
  const text = handover(chain(user("Build it"), ...commands));
  const told = /## Commands\n\n([^#]*)\n\n##/.exec(text)?.[1] ?? "";
  expect(text).toContain("62 commands run, 2 failed");
  expect(told).toContain("47 other commands are left out.");
  expect(told).toContain(
    "- `npm test` failed: exit 2: broken\n- `ls gone` failed: exit 2: broken\n",
  );
  expect(told).not.toMatch(/rg |git log/);
  expect(told).toContain("- `echo 29 > part-29`");
});

test("the branch of a hand-over is the one the work ended on", () => {
  const branchOf = (...commands: readonly (string | readonly string[])[]): string | undefined => {
    const calls = commands.flatMap((command, at): readonly EventBody[] => [
      call(`c${at}`, { name: "shell", input: { command } }),
      String(command).includes("taken")
        ? { type: "tool_result", call: `c${at}`, content: "exists", isError: true }
        : result(`c${at}`),
    ]);
    return /- (.*ranch: .*)/.exec(handover(chain(session[0]!, user("Go"), ...calls)))?.[1];
  };
  expect(branchOf("git status")).toBe("Began on branch: main");
  expect(branchOf("git fetch && git checkout -b docs/page origin/main")).toBe("Branch: docs/page");
  expect(branchOf(["bash", "-lc", "cd x; git switch -c fix/one"])).toBe("Branch: fix/one");
  expect(branchOf("git checkout -b one", "git switch -c taken")).toBe("Branch: one");
  expect(branchOf("git checkout -b one", "git checkout main")).toBe("Branch: main");
  expect(branchOf("git checkout -b one", "git checkout README.md")).toBe("Branch: one");
  expect(branchOf("git checkout -- a.ts", "echo git switch two")).toBe("Began on branch: main");
});

test("what an agent is about to do, a request, how far it is and half a line are no decisions", () => {
  const none = [
    "I’ll keep waiting rather than stopping the build.",
    "The cache is cold, so I’m reading the table instead of the index.",
    "No news yet, the tests must be slow.",
    "The build is still running, as always.",
    "can we always open the page in full width",
    "Could you never do that again",
    "please show the date rather than the age",
    "is it normal to keep a copy instead of a link",
    "Yes, that is agreed.",
    "We have found the root cause.",
    "The page must have:",
    "// must be sorted by name, always",
    "An always-visible banner was added.",
  ];
  const some = [
    "We agreed to keep the old names.",
    "Please always run the linter first.",
    "The root cause was a missing index.",
    "The parser now keeps the line instead of dropping it.",
    "When a name is taken, the writer must ask, which I’ll test.",
  ];
  const text = summarise(chain(user("Go on"), assistant([...none, ...some].join("\n\n"))));
  const decisions = /## Decisions\n\n([^#]*)\n\n##/.exec(text)?.[1];
  expect(decisions).toBe(some.map((sentence) => `- ${sentence}`).join("\n"));
});

test("where no task is left, what the last answer leaves open in its own words is an open end", () => {
  const openEnds = (answer: string): string | undefined =>
    /## Open ends\n\n([^#]*)\n\n##/.exec(
      handover(chain(user("Build it"), assistant("Shall I begin?"), assistant(answer))),
    )?.[1];
  expect(
    openEnds(`Built.

## Next steps

1. Add a **test** for the limit
   of one line
2. Write the page

## Verified

- All is well

**Not done:** the migration

- [x] Follow-up: nothing

Remaining work is the release. The remaining files are as they were.

\`\`\`
# Next steps
- in code
\`\`\`

It works. Should I publish it?`),
  ).toBe(
    [
      "- Add a test for the limit",
      "- Write the page",
      "- the migration",
      "- Remaining work is the release.",
      "- Should I publish it?",
    ].join("\n"),
  );
  const many = Array.from({ length: 9 }, (_, n) => `- [${n % 2 ? "x" : " "}] part ${n}`);
  expect(openEnds(`What’s left:\n\n${many.join("\n")}`)).toBe(
    [0, 2, 4, 6, 8].map((n) => `- part ${n}`).join("\n"),
  );
  expect(openEnds("Done. Remaining: none.")).toBeUndefined();
  expect(openEnds("### Follow-ups\n\nNone.\n\nAll tests pass.")).toBeUndefined();
  expect(openEnds("**Remaining:** No tests for the page yet.")).toBe(
    "- No tests for the page yet.",
  );
  expect(openEnds("Is it fast? It is.")).toBeUndefined();
});

test("long sessions keep the newest within the budget and count what is given up", () => {
  const many = Array.from({ length: 2000 }, (_, n) => [
    user(`request ${n}: ${"why ".repeat(20)}`),
    assistant(`It must be so because of reason ${n}. ${"Long words follow. ".repeat(50)}`),
  ]).flat();
  const text = summarise(chain(...many), { budgetTokens: 1000 });
  expect(estimateTokens(text)).toBeLessThanOrEqual(1000);
  expect(text).toContain("> request 0:");
  expect(text).toContain("reason 1999");
  expect(text).toMatch(/## Decisions\n\n\d+ earlier decisions are left out\.\n\n- /);
});

test("what an earlier compaction said is carried on where its events are gone", () => {
  const tail = chain({ type: "compaction", summary: "Earlier we chose Redis." }, user("go on"));
  expect(summarise(tail)).toContain("> Earlier we chose Redis.");
  const whole = chain(session[0]!, user("a"), {
    type: "compaction",
    summary: "Ours.",
    strategy: "summarise",
  });
  expect(summarise(whole)).not.toContain("Ours.");
});

test("the goal survives any number of compactions that hide it", () => {
  let summary = summarise(chain(user("Build the limiter.\nKeep it small."), assistant("yes")));
  for (let round = 0; round < 5; round += 1) {
    const compaction: EventBody = { type: "compaction", summary, strategy: "summarise" };
    summary = summarise(chain(compaction, user(`step ${round}`), assistant("done")));
  }
  expect(summary).toContain("## Goal\n\n> Build the limiter.\n> Keep it small.\n");
  expect(summary).toContain("- step 4");
});
