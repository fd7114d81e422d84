import { boxed, itemsIn, paragraph, sectionsOf } from "../../model/note-markdown.ts";
import { filled, type Sections } from "../../model/note-sections.ts";
import { simpleYaml } from "./simple-yaml.ts";

/** The sections of a ledger page. */
export function sectionsOfLedger(text: string): Sections {
  const sections = sectionsOf(text);
  const of = (name: string): readonly string[] => sections.get(name) ?? [];
  const state = stateOf(of("state"));
  return filled({
    goal: [paragraph(of("goal"))],
    constraints: itemsIn(of("constraints")),
    decisions: itemsIn(of("key decisions")),
    ...state,
    questions: itemsIn(of("open questions")).map((item) => item.replace(/^UNCONFIRMED:\s*/, "")),
    notes: itemsIn(of("working set")),
  });
}

/** `- Done:` with items below it, `- Now: words` on one line, `- Next:` either way. */
function stateOf(lines: readonly string[]): Readonly<Record<"done" | "now" | "next", string[]>> {
  const state = { done: [] as string[], now: [] as string[], next: [] as string[] };
  let at: keyof typeof state | undefined;
  for (const line of lines) {
    const label = /^[-*]\s+(Done|Now|Next|Remaining):\s*(.*)$/.exec(line);
    if (label === null) {
      if (at !== undefined) state[at].push(...itemsIn([line]));
      continue;
    }
    const [, word = "", rest = ""] = label;
    at = word === "Done" ? "done" : word === "Now" ? "now" : "next";
    if (rest !== "") state[at].push(rest.replace(/^\[[^\]]{0,2}\]\s*/, ""));
  }
  return state;
}

/** The sections of a hand-off, in YAML or Markdown. */
export function sectionsOfHandoff(text: string, path: string): Sections {
  return path.endsWith(".md") ? sectionsOfPage(text) : sectionsOfYaml(text);
}

function sectionsOfYaml(text: string): Sections {
  const values = simpleYaml(text);
  const of = (name: string): readonly string[] => values.get(name) ?? [];
  return filled({
    goal: of("goal").slice(0, 1),
    now: of("now").slice(0, 1),
    done: of("done_this_session"),
    next: of("next"),
    decisions: of("decisions"),
    questions: [...of("questions"), ...of("blockers").map((blocker) => `Blocked: ${blocker}`)],
    files: [...of("files.created"), ...of("files.modified")],
  });
}

function sectionsOfPage(text: string): Sections {
  const sections = sectionsOf(text);
  const lines = text.split(/\r?\n/);
  const goal = /^\*\*Goal:\*\*\s*(.+)$/m.exec(text)?.[1];
  return filled({
    goal: goal === undefined ? [] : [goal],
    done: boxed(lines, "xX"),
    now: [...boxed(lines, ">→-"), ...nowLine(sections.get("now") ?? [])],
    next: boxed(lines, " "),
    files: itemsIn(sections.get("files modified") ?? []),
  });
}

function nowLine(lines: readonly string[]): readonly string[] {
  const [first] = lines.filter((line) => line.trim() !== "");
  return first === undefined ? [] : [first.trim().replace(/^\[[^\]]{0,2}\]\s*/, "")];
}
