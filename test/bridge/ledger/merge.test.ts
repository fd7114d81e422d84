import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Kept, nothingKept } from "../../../src/bridge/ledger/kept.ts";
import { itemOf, ledgerLines } from "../../../src/bridge/ledger/line.ts";
import { mergeLedger, type Wanted } from "../../../src/bridge/ledger/merge.ts";
import { sectionNames } from "../../../src/model/note-sections.ts";

const seed = 20_261_115;
const nowMs = Date.parse("2026-11-15T10:00:00Z");

function wanted(lines: Partial<Record<keyof Wanted, readonly string[]>>): Wanted {
  const of = (place: keyof Wanted) =>
    (lines[place] ?? []).map((text) => ({ text, origin: "session" as const }));
  return {
    head: of("head"),
    goal: of("goal"),
    constraints: of("constraints"),
    done: of("done"),
    now: of("now"),
    next: of("next"),
    decisions: of("decisions"),
    questions: of("questions"),
    files: of("files"),
    notes: of("notes"),
  };
}

function merge(file: string | undefined, kept: Kept, lines: Parameters<typeof wanted>[0]) {
  return mergeLedger(file, { kept, wanted: wanted(lines), nowMs });
}

const first = merge(undefined, nothingKept, {
  head: ["# Ledger", "Updated: 2026-11-15"],
  goal: ["Move the API to port 9090"],
  now: ["- [ ] Change the constant"],
  next: ["- [ ] Update the README"],
  files: ["- src/config.ts"],
});

describe("a ledger that nobody changed", () => {
  test("is written with the sections that have something to say", () => {
    expect(first.text).toBe(`# Ledger
Updated: 2026-11-15

## Goal

Move the API to port 9090

## Now

- [ ] Change the constant

## Next

- [ ] Update the README

## Files

- src/config.ts
`);
  });

  test("follows the work: a task moves from now to done, its section is made in its place", () => {
    const { text } = merge(first.text, first.kept, {
      head: ["# Ledger", "Updated: 2026-11-16"],
      goal: ["Move the API to port 9090"],
      done: ["- [x] Change the constant"],
      now: ["- [ ] Update the README"],
      files: ["- src/config.ts", "- README.md"],
    });
    expect(text).toBe(`# Ledger
Updated: 2026-11-16

## Goal

Move the API to port 9090

## Done

- [x] Change the constant

## Now

- [ ] Update the README

## Next


## Files

- src/config.ts
- README.md
`);
  });
});

describe("a ledger that a person changed", () => {
  test("keeps their words where they changed ours, and ours do not come back", () => {
    const edited = first.text.replace("Change the constant", "Change the constant in config.ts");
    const next = merge(edited, first.kept, { now: ["- [ ] Change the constant"] });
    expect(next.text).toContain("- [ ] Change the constant in config.ts\n");
    expect(next.text).not.toContain("- [ ] Change the constant\n");
    const again = merge(next.text, next.kept, { done: ["- [x] Change the constant"] });
    expect(again.text).not.toContain("- [x] Change the constant\n");
  });

  test("keeps their goal in place of ours", () => {
    const edited = first.text.replace("Move the API to port 9090", "Ship 2.0");
    const next = merge(edited, first.kept, { goal: ["Something else entirely"] });
    expect(next.text).toContain("## Goal\n\nShip 2.0\n");
    expect(next.text).not.toContain("Something else");
  });

  test("keeps their own sections, remarks below our lines, and the lines they belong to", () => {
    const edited = `${first.text.replace(
      "- [ ] Change the constant\n",
      "- [ ] Change the constant\n  - ask Ana first\n",
    )}\n## For Ana\n\nCall me.\n`;
    const { text } = merge(edited, first.kept, {});
    expect(text).toContain("- [ ] Change the constant\n  - ask Ana first\n");
    expect(text).toContain("\n## For Ana\n\nCall me.\n");
    expect(text).not.toContain("src/config.ts");
  });

  test("stays without the section they took out", () => {
    const edited = first.text.replace("## Files\n\n- src/config.ts\n", "");
    expect(merge(edited, first.kept, { files: ["- a.ts"] }).text).not.toContain("a.ts");
  });

  test("keeps the line ends of their editor", () => {
    const edited = first.text.replaceAll("\n", "\r\n");
    const { text } = merge(edited, first.kept, { decisions: ["- Use one constant"] });
    expect(text).toContain("## Decisions\r\n\r\n- Use one constant\r\n");
    expect(text.replaceAll("\r\n", "")).not.toContain("\n");
    expect(text).not.toContain("src/config.ts");
  });

  test("begins anew where they removed the file", () => {
    const gone = merge(first.text.replace("- src/config.ts\n", ""), first.kept, {});
    const { text } = merge(undefined, gone.kept, { files: ["- src/config.ts"] });
    expect(text).toContain("- src/config.ts");
  });
});

const item = fc.stringMatching(/^[a-z]{1,6}( [a-z]{1,4}){0,2}$/);
const lines = fc.uniqueArray(item, { maxLength: 5 });
const wish = fc.record({
  goal: fc.uniqueArray(item, { maxLength: 1 }),
  done: lines.map((all) => all.map((text) => `- [x] ${text}`)),
  now: lines.map((all) => all.map((text) => `- [ ] ${text}`)),
  decisions: lines.map((all) => all.map((text) => `- ${text}`)),
  files: lines.map((all) => all.map((text) => `- ${text}`)),
});
const typed = fc.oneof(
  item.map((text) => `- ${text}`),
  item.map((text) => `  - ${text}`),
  item,
  fc.constantFrom("", "## Notes", "## Files", "# Title", "## Now", "Updated: today"),
);
/** What a person does in an editor: takes lines out, puts lines in, changes lines. */
const edit = fc.record({
  at: fc.nat({ max: 40 }),
  drop: fc.nat({ max: 2 }),
  put: fc.array(typed, { maxLength: 2 }),
});

function edited(text: string, edits: readonly { at: number; drop: number; put: string[] }[]) {
  const now = text.split("\n");
  for (const { at, drop, put } of edits) now.splice(Math.min(at, now.length), drop, ...put);
  return now.join("\n");
}

/** The lines that were not in the text before, in order. */
function newLines(before: string, after: string): readonly string[] {
  const old = new Set(before.split("\n").map((line) => line.trim()));
  return after.split("\n").filter((line) => line.trim() !== "" && !old.has(line.trim()));
}

function isSubsequence(part: readonly string[], whole: readonly string[]): boolean {
  let at = 0;
  for (const line of whole) if (at < part.length && line === part[at]) at += 1;
  return at === part.length;
}

describe(`whatever is edited and whatever happens (seed ${seed})`, () => {
  const story = fc.tuple(wish, fc.array(edit, { maxLength: 5 }), wish, wish);

  test("every line a person wrote stays, in order", () => {
    const property = fc.property(story, ([one, edits, two, three]) => {
      const before = merge(undefined, nothingKept, one);
      const mine = edited(before.text, edits);
      const after = merge(mine, before.kept, two);
      const last = merge(after.text, after.kept, three);
      const typedLines = newLines(before.text, mine);
      expect(isSubsequence(typedLines, after.text.split("\n"))).toBe(true);
      expect(isSubsequence(typedLines, last.text.split("\n"))).toBe(true);
    });
    fc.assert(property, { seed, numRuns: 1000 });
  });

  test("an item a person took out never comes back", () => {
    const property = fc.property(story, ([one, edits, two, three]) => {
      const before = merge(undefined, nothingKept, one);
      const mine = edited(before.text, edits);
      const after = merge(mine, before.kept, two);
      const last = merge(after.text, after.kept, three);
      const present = new Set(mine.split("\n").map(itemOf));
      const taken = before.kept.lines
        .map(({ text }) => itemOf(text))
        .filter((said) => !present.has(said));
      const left = new Set(last.text.split("\n").map(itemOf));
      expect(taken.filter((key) => left.has(key))).toEqual([]);
    });
    fc.assert(property, { seed, numRuns: 1000 });
  });

  test("merging the same again changes nothing", () => {
    const property = fc.property(story, ([one, edits, two]) => {
      const before = merge(undefined, nothingKept, one);
      const after = merge(edited(before.text, edits), before.kept, two);
      const again = merge(after.text, after.kept, two);
      expect(again.text).toBe(after.text);
      expect(again.kept).toEqual(after.kept);
    });
    fc.assert(property, { seed, numRuns: 1000 });
  });

  test("without a person's hand the ledger says what is wanted, and nothing else", () => {
    const property = fc.property(wish, wish, (one, two) => {
      const before = merge(undefined, nothingKept, one);
      const { text } = merge(before.text, before.kept, two);
      for (const place of sectionNames) {
        const said = ledgerLines(text).filter(
          (line) => line.place === place && line.kind === "text",
        );
        const keys = (two as Record<string, string[] | undefined>)[place] ?? [];
        expect(new Set(said.map((line) => line.text))).toEqual(new Set(keys));
      }
    });
    fc.assert(property, { seed, numRuns: 500 });
  });
});
