import { isoNow } from "../../base/clock.ts";
import { quoted, type Section, writeSections } from "../../context/sections.ts";
import { oneLine } from "../../model/text.ts";
import type { State } from "../state/state.ts";
import { withoutSecrets } from "./secrets.ts";
import type { SaidLast } from "./tail.ts";
import type { ViewLine } from "./view.ts";

/** What a hand-off is made of where only the bridge's own notes and the transcript's end are at hand. */
export interface HandoffSources {
  readonly state: State;
  readonly said: SaidLast;
  readonly view: readonly ViewLine[];
}

/**
 * The page that carries a session over a compaction: bounded, secrets hidden. They are hidden before a text is
 * shortened, because half of one no longer looks like one, and once more in the whole.
 */
export function handoffText(
  { state, said, view }: HandoffSources,
  { budgetTokens }: { readonly budgetTokens: number },
): string {
  const inLedger = (place: ViewLine["place"]): readonly string[] =>
    view.filter((line) => line.place === place).map(({ text }) => text);
  const tasks = (isDone: boolean): readonly string[] =>
    state.tasks
      .filter(({ status }) => (status === "done") === isDone)
      .map(
        ({ name, status }) =>
          `- [${isDone ? "x" : " "}] ${name}${status === "active" ? " (now)" : ""}`,
      );
  const [last, ...earlier] = said.prompts.toReversed();
  const sections: readonly Section[] = [
    { title: "Goal", lines: inLedger("goal"), share: 0.1, giveUp: "newest" },
    {
      title: "Last request",
      lines: last === undefined ? [] : quoted(withoutSecrets(last), 1200),
      share: 0.15,
      giveUp: "newest",
    },
    {
      title: "Requests before it",
      lines: earlier.toReversed().map((prompt) => `- ${oneLine(withoutSecrets(prompt), 240)}`),
      share: 0.1,
      giveUp: "oldest",
    },
    { title: "Open tasks", lines: tasks(false), share: 0.1, giveUp: "newest" },
    { title: "Done", lines: tasks(true), share: 0.05, giveUp: "oldest" },
    { title: "Decisions", lines: inLedger("decisions"), share: 0.15, giveUp: "oldest" },
    {
      title: "Files touched, the newest first",
      lines: state.files.slice(0, 30).map((file) => `- ${oneLine(withoutSecrets(file), 200)}`),
      share: 0.1,
      giveUp: "newest",
    },
    {
      title: "Last commands",
      lines: state.commands.map((command) => `- \`${oneLine(withoutSecrets(command), 160)}\``),
      share: 0.05,
      giveUp: "oldest",
    },
    {
      title: "Last answer",
      lines: said.answer === undefined ? [] : quoted(withoutSecrets(said.answer), 2000),
      share: 0.2,
      giveUp: "newest",
    },
  ];
  const introduction = `# Hand-off

Written ${isoNow()}, before the conversation was shortened. Taken from its record; check it against the files before relying on it.`;
  return withoutSecrets(writeSections(introduction, { sections, budgetTokens }));
}
