import fc from "fast-check";
import { expect, test } from "vitest";
import type { EventBody } from "../../../../src/model/event.ts";
import { transcript } from "../../../../src/programs/cli/render/transcript.ts";
import { colours } from "../../../../src/programs/cli/terminal/colours.ts";
import { textWidth } from "../../../../src/programs/cli/terminal/width.ts";
import { streamOf, textOf } from "../scripted-agent.ts";

const seed = 20261120;

/** Words of all kinds by how many letters they have; each is told from all others by its number. */
const kinds: readonly ((number: number, letters: number) => string)[] = [
  (number, letters) => `${"x".repeat(letters)}${number}`,
  (number, letters) => `https://a.example/${"p".repeat(letters)}${number}`,
  (number, letters) => `${"検".repeat(letters >> 1)}${number}`,
  (number, letters) => `${"🎉".repeat(letters >> 1)}${number}`,
  (number, letters) => `src/${"d".repeat(letters)}/file${number}.ts`,
];

/** A word of a session: its kind, and how long it is. */
const word = fc.tuple(fc.nat(kinds.length - 1), fc.oneof(fc.nat(12), fc.nat(60), fc.nat(150)));

/** The places that words stand in, each with what they are joined to. */
const places: readonly ((words: readonly string[]) => EventBody)[] = [
  (words) => ({ type: "user", content: words.join(" ") }),
  (words) => ({ type: "assistant", content: `# ${words.join("\n\n")}` }),
  (words) => ({ type: "assistant", content: words.map((one) => `- ${one}`).join("\n") }),
  (words) => ({ type: "assistant", content: `1. a\n   - b\n     - ${words.join(" ")}` }),
  (words) => ({ type: "assistant", content: `> ${words.join(" ")}` }),
  (words) => ({
    type: "assistant",
    content: `| a | ${words[0]} |\n|---|---|\n| ${words.join(" ")} | b |`,
  }),
  (words) => ({ type: "assistant", content: `\`\`\`ts\n      ${words.join(" ")}\n\`\`\`` }),
  (words) => ({ type: "assistant", content: `\`\`\`diff\n+   ${words.join(" ")}\n\`\`\`` }),
  (words) => ({ type: "thinking", content: words.join(" ") }),
  (words) => ({ type: "tool_use", call: "c", name: "Bash", input: { command: words.join(" ") } }),
  (words) => ({
    type: "tool_use",
    call: "d",
    name: "Write",
    input: { path: "a", content: `\t${words.join(" ")}` },
  }),
  (words) => {
    const files = words.map((name) => `*** Add File: ${name}\n+ ${name}\n`);
    const input = `*** Begin Patch\n${files.join("")}*** End Patch\n`;
    return { type: "tool_use", call: "e", name: "apply_patch", input };
  },
  (words) => ({ type: "tool_result", call: "c", content: `    12→    ${words.join(" ")}` }),
];

/** What stands before the words of the deepest place; a word so much narrower than the terminal fits a line everywhere. */
const deepest = 12;

test.each([60, 120])(
  `at %i columns no line is wider, and no word is broken that fits a line (seed ${seed})`,
  async (columns) => {
    const part = fc.tuple(
      fc.nat(places.length - 1),
      fc.array(word, { minLength: 1, maxLength: 9 }),
    );
    const property = fc.asyncProperty(
      fc.array(part, { minLength: 1, maxLength: 8 }),
      async (parts) => {
        let number = 100;
        const fitting: string[] = [];
        const bodies = parts.map(([place, words]) => {
          const texts = words.map(([kind, letters]) => {
            number += 1;
            return kinds[kind]!(number, letters);
          });
          fitting.push(...texts.filter((text) => textWidth(text) <= columns - deepest));
          return places[place]!(texts);
        });
        const options = {
          tools: "full",
          thinking: true,
          colours: colours(false),
          columns,
        } as const;
        const shown = await textOf(transcript(streamOf(bodies), options));
        for (const line of shown.split("\n")) expect(textWidth(line)).toBeLessThanOrEqual(columns);
        for (const text of fitting) expect(shown).toContain(text);
      },
    );
    await fc.assert(property, { seed, numRuns: 150 });
  },
);
