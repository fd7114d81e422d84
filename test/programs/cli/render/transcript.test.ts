import { expect, test } from "vitest";
import type { AgentEvent } from "../../../../src/agents/contract.ts";
import type { EventBody } from "../../../../src/model/event.ts";
import { html } from "../../../../src/programs/cli/render/html.ts";
import { markdown } from "../../../../src/programs/cli/render/markdown.ts";
import { transcript, transcriptHeading } from "../../../../src/programs/cli/render/transcript.ts";
import type { ViewOptions } from "../../../../src/programs/cli/render/view.ts";
import { selectEvents } from "../../../../src/programs/cli/sessions/select.ts";
import { withToolNames } from "../../../../src/programs/cli/sessions/tool-names.ts";
import { colours } from "../../../../src/programs/cli/terminal/colours.ts";
import { streamOf, textOf } from "../scripted-agent.ts";
import { hostileBodies, hostileHead } from "./hostile.ts";

const off = colours(false);
const short: ViewOptions = { tools: "short", thinking: false };

function shown(bodies: readonly EventBody[], view: Partial<ViewOptions> = {}): Promise<string> {
  return textOf(transcript(streamOf(bodies), { ...short, ...view, colours: off }));
}

const talk: readonly EventBody[] = [
  { type: "user", content: "Fix it" },
  { type: "thinking", content: "Hmm." },
  { type: "assistant", content: "I will." },
  { type: "tool_use", call: "c1", name: "Bash", input: { command: "npm test" } },
  { type: "tool_result", call: "c1", content: "line\n".repeat(20), isError: true },
  {
    type: "tool_use",
    call: "c2",
    name: "Edit",
    input: { file_path: "a", old_string: "x", new_string: "y" },
  },
  { type: "tool_result", call: "c2", content: "done" },
];

test("calls carry their argument, results their tool, edits their diff", async () => {
  const text = await shown(talk);
  expect(text).toContain("⏺ Bash npm test");
  expect(text).toContain("✗ Bash failed");
  expect(text).toContain("… 12 more lines");
  expect(text).toContain("    - x\n    + y");
  expect(text).toContain("↳ Edit");
  expect(text).not.toContain("Hmm.");
});

test("a result whose call is not directly above it says what it answers", async () => {
  const call = (id: string, command: string): EventBody => {
    return { type: "tool_use", call: id, name: "Bash", input: { command } };
  };
  const result = (id: string): EventBody => ({ type: "tool_result", call: id, content: "ok" });
  const alone = await shown([call("c1", "npm test"), result("c1")]);
  expect(alone).toMatch(/↳ Bash\n/);
  const bodies = [call("c1", "npm test"), call("c2", "git status"), result("c1"), result("c2")];
  const text = await shown(bodies);
  expect(text).toMatch(/↳ Bash npm test\n/);
  expect(text).toMatch(/↳ Bash git status\n/);
});

test("of a place shown alone a result says what it answers though its call is far above", async () => {
  const ids = Array.from({ length: 20 }, (_, number) => `c${number}`);
  const bodies: readonly EventBody[] = [
    ...ids.map((id): EventBody => {
      return { type: "tool_use", call: id, name: "Bash", input: { command: `make ${id}` } };
    }),
    ...ids.map((id): EventBody => {
      return { type: "tool_result", call: id, content: "no", isError: true };
    }),
  ];
  const place = selectEvents(withToolNames(streamOf(bodies)), { focus: "40" });
  const text = await textOf(transcript(place, { ...short, colours: off, focus: "40" }));
  expect(text).toMatch(/#40 ✗ Bash failed make c19\n/);
  const page = await textOf(markdown(withToolNames(streamOf(bodies)), short));
  expect(page).toContain("**Bash failed** `make c19`");
  expect(await textOf(html(withToolNames(streamOf(bodies)), short))).toContain(
    'failed <code dir="auto">make c19</code>',
  );
});

test("thinking is shown only when asked for, tools can be left out or shown in full", async () => {
  expect(await shown(talk, { thinking: true })).toContain("Hmm.");
  const without = await shown(talk, { tools: "none" });
  expect(without).not.toContain("Bash");
  expect(without).toContain("I will.");
  const full = await shown(talk, { tools: "full" });
  expect(full).not.toContain("more lines");
  expect(full).toContain('"command": "npm test"');
});

test("the event asked for is shown whole", async () => {
  const text = await textOf(transcript(streamOf(talk), { ...short, colours: off, focus: "5" }));
  expect(text).not.toContain("more lines");
});

test("nothing from a transcript acts on the terminal", async () => {
  for (const tools of ["short", "full", "none"] as const) {
    const text =
      transcriptHeading(hostileHead, off) + (await shown(hostileBodies, { tools, thinking: true }));
    expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
    expect(text).toContain("␛]0;owned␇");
  }
});

test("with colours on, only our own colour sequences are there", async () => {
  const on = colours(true);
  const text = await textOf(transcript(streamOf(hostileBodies), { ...short, colours: on }));
  const rest = text.replace(/\u001b\[\d{1,2}m/g, "");
  expect(rest).not.toContain("\u001b");
});

test("an answer of blanks alone is not shown; a result without text is", async () => {
  const text = await shown([
    { type: "assistant", content: "\n\n", model: "m" },
    { type: "tool_use", call: "c1", name: "Bash", input: { command: "true" } },
    { type: "tool_result", call: "c1", content: "" },
  ]);
  expect(text).not.toContain("● m");
  expect(text).toContain("↳ Bash");
});

test("an event that was asked for is never shown as nothing, nor is an empty answer", async () => {
  const bodies: readonly EventBody[] = [
    { type: "session_start", format: 1, session: "s" },
    { type: "thinking", content: "Hmm." },
    { type: "assistant", content: "\n" },
    { type: "custom", name: "hook.start", data: {} },
    { type: "assistant", content: "", model: "m", endTurn: true },
  ];
  const at = (focus: string): Promise<string> =>
    textOf(transcript(streamOf(bodies), { ...short, tools: "none", colours: off, focus }));
  expect(await shown(bodies)).toMatch(/^#5 ● m.*\n {2}\(no text\)\n\n$/);
  expect(await at("1")).toContain("#1 ─ session start (no text)");
  expect(await at("2")).toContain("Hmm.");
  expect(await at("3")).toContain("#3 ─ assistant (no text)");
  expect(await at("4")).toContain("#4 ─ Record · hook.start");
});

test("a compaction without a summary says that what it kept follows", async () => {
  const text = await shown([
    { type: "compaction", summary: "" },
    { type: "user", content: "Fix it" },
  ]);
  expect(text).toMatch(/^#1 ─ Compacted: here follows what the model kept/);
  const told = await shown([{ type: "compaction", summary: "It was fixed." }]);
  expect(told).toContain("◇ Summary of what came before");
  expect(told).not.toContain("Compacted");
});

test("what an agent wrote to its subagent is not said to be yours, and asides are plain words", async () => {
  async function* events(): AsyncGenerator<AgentEvent> {
    const body = { type: "user", content: "Look" } as const;
    yield { number: "1", live: false, sidechain: "s1", body };
    yield { number: "2", live: false, body };
  }
  const text = await textOf(transcript(events(), { ...short, colours: off }));
  expect(text).toMatch(/#1 ❯ Agent to subagent *\n/);
  expect(text).toMatch(/#2 ❯ You \(not in the context\)/);
});

test("a line of a diff or of a file that does not fit goes on under its text", async () => {
  const row = "| Pattern                | Matches                           |";
  const bodies: readonly EventBody[] = [
    { type: "tool_use", call: "c1", name: "Write", input: { path: "a", content: `\t${row}` } },
    { type: "tool_result", call: "c1", content: `     7→${row}` },
    { type: "assistant", content: `\`\`\`diff\n+  ${row}\n\`\`\`` },
  ];
  const text = await textOf(transcript(streamOf(bodies), { ...short, colours: off, columns: 40 }));
  expect(text).toContain("    +     | Pattern                |\n          Matches");
  expect(text).toContain("         7→| Pattern                |\n           Matches");
  expect(text).toContain("    +  | Pattern                |\n       Matches");
});

test("what a long change leaves out is counted in its own lines", async () => {
  const content = `${"word ".repeat(30)}\n`.repeat(50);
  const bodies: readonly EventBody[] = [
    { type: "tool_use", call: "c1", name: "Write", input: { path: "a", content } },
  ];
  const text = await textOf(transcript(streamOf(bodies), { ...short, colours: off, columns: 40 }));
  expect(text).toContain("… 10 more lines");
});
