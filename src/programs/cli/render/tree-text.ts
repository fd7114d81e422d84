import type { FoundSession } from "../../../agents/find-sessions.ts";
import { shortIds } from "../../../agents/reference.ts";
import { timeOf } from "../../../base/clock.ts";
import type { TreeItem, TreeSession } from "../../../catalog/family/family-tree.ts";
import { type Kinship, keyOf } from "../../../catalog/family/kinship.ts";
import type { Mark } from "../../../catalog/family/outline.ts";
import { idOfHead } from "../../../model/head-name.ts";
import type { Colours } from "../terminal/colours.ts";
import { safeLine } from "../terminal/terminal-text.ts";
import { textWidth, truncated } from "../terminal/width.ts";
import { count } from "./count.ts";
import { titleOf } from "./heading.ts";
import { relativeTime } from "./time.ts";
import { type ShownTree, shownItems } from "./tree-json.ts";

/** How a family is drawn. */
export interface TreeTextOptions extends ShownTree {
  readonly colours: Colours;
  readonly nowMs: number;
  readonly out: { readonly isTerminal: boolean; readonly columns: number };
  /** The ids of all sessions, so that what is shown of one names it alone. */
  readonly ids: readonly string[];
}

const pipedColumns = 120;

/** A family as a drawing; on a terminal each line fits its width. */
export function treeText(asked: FoundSession, options: TreeTextOptions): string {
  const columns = options.out.isTerminal ? options.out.columns : pipedColumns;
  const drawing = new Drawing(options, {
    columns,
    asked: keyOf(asked),
    ids: shortIds(options.ids),
  });
  drawing.session(options.root, { stem: "", branch: "", event: undefined });
  if (options.more > 0) {
    drawing.line("", [{ text: `${count(options.more, "more session")} not shown.`, paint: "dim" }]);
  }
  return drawing.text();
}

type Paint = "bold" | "dim" | "cyan" | "green" | "yellow" | "magenta" | "red" | "plain";

/** A part of a line; parts are cut from the end where a line is too long. */
interface Part {
  readonly text: string;
  readonly paint: Paint;
}

interface Place {
  /** What stands left of the lines below. */
  readonly stem: string;
  /** What stands left of its own line. */
  readonly branch: string;
  readonly event: string | undefined;
}

class Drawing {
  readonly #lines: string[] = [];
  readonly #options: TreeTextOptions;
  readonly #given: {
    readonly columns: number;
    readonly asked: string;
    readonly ids: ReadonlyMap<string, string>;
  };

  constructor(
    options: TreeTextOptions,
    given: {
      readonly columns: number;
      readonly asked: string;
      readonly ids: ReadonlyMap<string, string>;
    },
  ) {
    this.#options = options;
    this.#given = given;
  }

  text(): string {
    return `${this.#lines.join("\n")}\n`;
  }

  /** One line: the stem as it is, then as much of the parts as fits. */
  line(stem: string, parts: readonly Part[]): void {
    const { colours } = this.#options;
    let room = Math.max(8, this.#given.columns - textWidth(stem));
    let line = colours.dim(stem);
    for (const { text, paint } of parts) {
      if (room <= 0 || text === "") continue;
      const shown = truncated(safeLine(text), room);
      room -= textWidth(shown) + 1;
      line += `${paint === "plain" ? shown : colours[paint](shown)} `;
    }
    this.#lines.push(line.trimEnd());
  }

  session(tree: TreeSession, place: Place): void {
    this.line(place.branch, this.#sessionParts(tree, place.event));
    const items = shownItems(tree.items, this.#options.prompts);
    for (const [index, item] of items.entries()) {
      const isLast = index === items.length - 1;
      const branch = `${place.stem}${isLast ? "└─ " : "├─ "}`;
      const stem = `${place.stem}${isLast ? "   " : "│  "}`;
      this.#item(item, { branch, stem });
    }
  }

  #item(item: TreeItem, place: Pick<Place, "stem" | "branch">): void {
    if ("mark" in item) this.line(place.branch, markParts(item.mark));
    else this.session(item.child, { ...place, event: item.event });
  }

  #sessionParts({ key, session, from, events, prompts, problem }: TreeSession, event?: string) {
    const at = event === undefined ? [] : [part(`@${event}`, "dim")];
    const kin = from === undefined ? [] : [part(kinWords[from.kind], "magenta")];
    const isAsked = key === this.#given.asked;
    const name = part(this.#shortKey(key, session), isAsked ? "green" : "cyan");
    const dot = part(isAsked ? "●" : "○", isAsked ? "green" : "dim");
    if (session === undefined) return [dot, ...at, ...kin, name, part("(gone)", "dim")];
    const size =
      events === undefined ? "" : `${count(prompts ?? 0, "prompt")}, ${count(events, "event")}`;
    const age = relativeTime(timeOf(session.head.updatedAt) ?? Number.NaN, this.#options.nowMs);
    // On a narrow terminal what is behind the title has no room, and the title says more.
    const wide = this.#given.columns >= 60;
    const facts = [problem === undefined ? size : `! ${problem}`, age].filter(
      (word) => word !== "",
    );
    const about = part(`(${facts.join(" · ")})`, problem === undefined ? "dim" : "yellow");
    const title = part(titleOf(session.head), "bold");
    return [dot, ...at, ...kin, name, ...(wide ? [about] : []), title];
  }

  #shortKey(key: string, session: FoundSession | undefined): string {
    if (session === undefined) return key;
    const id = idOfHead(session.head);
    return `${session.head.agent}:${this.#given.ids.get(id) ?? id}`;
  }
}

const kinWords: Readonly<Record<Kinship["kind"], string>> = {
  fork: "fork",
  subagent: "subagent",
  continues: "continued in",
  conversion: "converted",
  import: "imported",
  copy: "copy",
};

function part(text: string, paint: Paint): Part {
  return { text, paint };
}

function quoted(text: string | undefined): string {
  return text === undefined || text === "" ? "" : `"${text}"`;
}

function markParts(mark: Mark): readonly Part[] {
  const at = part(`@${mark.event}`, "dim");
  switch (mark.kind) {
    case "prompt":
      return [at, part(`❯ ${mark.text ?? ""}`, "plain")];
    case "branch": {
      const size = `left after ${count(mark.events ?? 0, "event")} @${mark.leaf ?? ""}`;
      return [at, part("branch", "yellow"), part(size, "dim"), part(quoted(mark.text), "plain")];
    }
    case "rewind":
      return [at, part("rewind", "yellow"), part(`to @${mark.to ?? ""}`, "dim")];
    case "compaction": {
      const tokens =
        mark.tokensBefore === undefined
          ? ""
          : `${mark.tokensBefore.toLocaleString("en")} tokens before`;
      return [at, part("compaction", "yellow"), part(tokens, "dim")];
    }
    case "checkpoint":
      return [
        ...(mark.event === "" ? [] : [at]),
        part(
          mark.checkpoint === undefined ? "checkpoint" : `checkpoint ${mark.checkpoint}`,
          "green",
        ),
        part(mark.incomplete === true ? "incomplete" : "", "yellow"),
        part(quoted(mark.text), "plain"),
      ];
    case "restore":
      return [at, part("files restored", "green"), part(`to @${mark.to ?? ""}`, "dim")];
    case "subagent": {
      const size = mark.events === undefined ? "" : count(mark.events, "event");
      return [at, part("subagent", "magenta"), part(size, "dim"), part(quoted(mark.text), "plain")];
    }
  }
}
