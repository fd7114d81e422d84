import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { handwritten, project, readAll, realHistory, told, wholeFile } from "./histories.ts";

/** The program's own rules, told once more in the plainest way. */
function restored(text: string): { role: string; content: string }[] {
  // Python reads any carriage return as a newline, and cuts at more than newlines.
  const lines = text
    .replaceAll(/\r\n?/g, "\n")
    .split(/(?<=[\n\v\f\u001c-\u001e\u0085\u2028\u2029])/);
  const messages: { role: string; content: string }[] = [];
  let [user, assistant] = ["", ""];
  const end = (role: string, content: string) => {
    if (content.trim() !== "") messages.push({ role, content: content.trim() });
  };
  for (const line of lines) {
    if (line.startsWith("# ")) continue;
    if (line.startsWith("> ")) {
      end("assistant", assistant);
      end("user", user);
      [user, assistant] = ["", ""];
    } else if (line.startsWith("#### ")) {
      end("assistant", assistant);
      assistant = "";
      user += line.slice(5);
    } else {
      end("user", user);
      user = "";
      assistant += line;
    }
  }
  end("assistant", assistant);
  end("user", user);
  return messages;
}

async function live(path: string) {
  const { events } = await readAll(wholeFile(path));
  return events.flatMap(({ body }) =>
    body.type === "user" || body.type === "assistant"
      ? [{ role: body.type, content: body.content as string }]
      : [],
  );
}

test.each([realHistory, handwritten])(
  "%s: live messages are those the program restores",
  async (path) => {
    expect(await live(path)).toEqual(restored(readFileSync(path, "utf8")));
  },
);

test("a history made by the program is read with what it loses and what it says itself", async () => {
  const { events, damage } = await readAll(wholeFile(realHistory), { allBranches: true });
  expect(damage).toEqual([]);
  expect(told(events)).toEqual([
    "2 session_start",
    "4 dead note aider v0.86.3 --model stub/stub-1",
    "4.2 dead meta",
    "5 dead note Git repo: .git with 3 files",
    "7 user change the port to 9090  \nand explain why",
    expect.stringMatching(/^10 assistant I will change it:\n\nsrc\/config.ts/),
    "21 dead note Tokens: 1.2k sent, 80 received.",
    "22 dead note Applied edit to src/config.ts",
    "22.2 dead file modified src/config.ts",
    "23 dead note Commit 1a2b3c4 feat: change port to 9090",
    "23.2 dead meta",
    "24 dead note Add README.md to the chat? (Y)es/(N)o [Yes]: y",
    "26 user /add README.md",
    "27 dead note Added README.md to the chat",
    "27.2 dead file read README.md",
    "29 user what does the readme say?",
    "33 assistant It says hello.",
    "35 dead note a quoted line in the answer",
    "37 user a level-4 heading in the answer",
    "39 assistant tail text",
    "31.2 dead assistant # Title in the answer\n\nIt says hello.\n\n> a quoted line in the answer\n\n#### a level-4 heading in the answer\n\ntail text",
    "41 dead note Tokens: 1.3k sent, 20 received.",
    "43 user <blank>",
    "44 dead note Something",
    "45 dead note went wrong",
  ]);
  const bodies = events.map((event) => event.body);
  expect(bodies).toContainEqual({ type: "meta", model: "stub/stub-1" });
  expect(bodies).toContainEqual({
    type: "meta",
    git: { commit: "1a2b3c4" },
    data: { subject: "feat: change port to 9090" },
  });
  const answers = bodies.filter((body) => body.type === "assistant" && body.usage !== undefined);
  expect(answers.map((body) => body.type === "assistant" && body.usage)).toEqual([
    { input: 1200, output: 80 },
    { input: 1300, output: 20 },
  ]);
});

test("a history written with care loses nothing, so no true text stands beside it", async () => {
  const { events } = await readAll(wholeFile(handwritten), { allBranches: true });
  expect(told(events).filter((line) => line.includes("dead"))).toEqual([
    "4 dead note Imported from another agent",
    "21 dead note Ran: ls -> a.txt",
  ]);
});

test("start lines are local time, whatever the zone", async () => {
  const { events } = await readAll(wholeFile(realHistory));
  expect(events[0]).toMatchObject({
    at: "2026-11-15T23:35:32.000Z",
    body: { type: "session_start" },
  });
});

test("any history is restored as the program does it", async () => {
  const line = fc.oneof(
    fc.constantFrom(
      "",
      "#### ask  ",
      "> note  ",
      "# heading",
      "text",
      "#### heading",
      "> quote",
      " ",
      "a\u2028b",
      "a\f#### b",
      "x\r",
    ),
    fc.string({ maxLength: 12 }).map((text) => text.toWellFormed().replaceAll("\u0000", "")),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 30 }), fc.boolean(), async (lines, closed) => {
      const text = lines.join("\n") + (closed ? "\n" : "");
      const { path } = project(text);
      expect(await live(path)).toEqual(restored(text));
    }),
    { seed: 20261115, numRuns: 150 },
  );
});
