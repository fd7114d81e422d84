import { join } from "node:path";
import { entriesOf, fileStat, namesIn, smallFile } from "../../base/folders.ts";
import { limits } from "../../base/limits.ts";
import { type ForeignNotes, filled } from "./found.ts";
import { boxed, itemsIn, paragraph, sectionsOf } from "./markdown.ts";
import { simpleYaml } from "./simple-yaml.ts";

const from = "continuous-claude";

/** The newest hand-off of a project kept by Continuous-Claude, else its newest ledger. */
export function continuousClaude(project: string): ForeignNotes | undefined {
  const handoffs = join(project, "thoughts", "shared", "handoffs");
  const folders = entriesOf(handoffs).filter((entry) => entry.isDirectory());
  const pages = folders
    .slice(0, limits.foreignFiles)
    .flatMap(({ name }) => pagesIn(join(handoffs, name), /\.(?:ya?ml|md)$/));
  const ledgers = pagesIn(join(project, "thoughts", "ledgers"), /^CONTINUITY_CLAUDE-.*\.md$/);
  return newestOf(pages, sectionsOfHandoff) ?? newestOf(ledgers, sectionsOfLedger);
}

interface Page {
  readonly path: string;
  readonly atMs: number;
}

function pagesIn(folder: string, names: RegExp): readonly Page[] {
  const wanted = namesIn(folder).filter((name) => names.test(name));
  return wanted.slice(-limits.foreignFiles).flatMap((name) => {
    const path = join(folder, name);
    const stat = fileStat(path);
    return stat === undefined ? [] : [{ path, atMs: stat.modifiedMs }];
  });
}

/** The newest page that says something. */
function newestOf(
  pages: readonly Page[],
  read: (text: string, path: string) => ForeignNotes["sections"],
): ForeignNotes | undefined {
  for (const { path, atMs } of pages.toSorted((a, b) => b.atMs - a.atMs).slice(0, 8)) {
    const text = smallFile(path, limits.ledgerBytes);
    const sections = text === undefined ? {} : read(text, path);
    if (Object.keys(sections).length > 0) return { from, path, atMs, sections };
  }
  return undefined;
}

/** The sections of a ledger page. */
export function sectionsOfLedger(text: string): ForeignNotes["sections"] {
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
export function sectionsOfHandoff(text: string, path: string): ForeignNotes["sections"] {
  return path.endsWith(".md") ? sectionsOfPage(text) : sectionsOfYaml(text);
}

function sectionsOfYaml(text: string): ForeignNotes["sections"] {
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

function sectionsOfPage(text: string): ForeignNotes["sections"] {
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
