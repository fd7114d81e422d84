import type { CommandContext } from "../run/command.ts";
import { layoutOf } from "../terminal/picker/layout.ts";
import { screenSize } from "../terminal/picker/terminal.ts";
import { wrapped } from "../terminal/width.ts";
import type { Item } from "./item.ts";
import type { Reader } from "./reader.ts";
import { shownWords } from "./shown-words.ts";
import type { PreviewLines } from "./thread-messages.ts";

/** Which part of which session is seen. */
export interface PreviewPlace {
  readonly item: Item;
  /** The event that answers the query best; absent where none does. */
  readonly event: string | undefined;
  readonly query: string;
  /** How many lines on from where it begins, or back. */
  readonly turned: number;
}

const kept = 60;

/** Previews of sessions: each is asked for once, and kept for a while. */
export class Previews {
  readonly #reader: Reader;
  readonly #isColoured: boolean;
  readonly #lines = new Map<string, readonly string[]>();
  #asked = "";
  #shown: { readonly key: string; readonly lines: readonly string[] } | undefined;

  constructor(reader: Reader, { colours }: Pick<CommandContext, "colours">) {
    this.#reader = reader;
    this.#isColoured = colours.enabled;
  }

  /** Sessions may be others now, or their place is: all are asked for again. */
  forget(): void {
    this.#lines.clear();
    this.#asked = "";
  }

  /** The lines of a place; what was shown of its session before while they are made. */
  linesAt(place: PreviewPlace): readonly string[] {
    const { key } = place.item;
    const lines = this.#lines.get(nameOf(place));
    if (lines !== undefined) this.#shown = { key, lines };
    return this.#shown?.key === key ? this.#shown.lines : [];
  }

  /** Asks for the lines of a place; says how far it is turned once they are there, if nothing else was asked since. */
  ask(place: PreviewPlace, isThere: (turned: number) => void): void {
    const name = nameOf(place);
    if (this.#asked === name || this.#lines.has(name)) return;
    this.#asked = name;
    this.#made(place).then(({ lines, turned }) => {
      if (this.#lines.size >= kept) this.#lines.clear();
      this.#lines.set(name, lines);
      if (this.#asked !== name) return;
      // It ends here: what was turned too far would have to be turned back first.
      const now = { ...place, turned };
      this.#lines.set(nameOf(now), lines);
      this.#asked = nameOf(now);
      isThere(turned);
    });
  }

  #made({ item, event, query, turned }: PreviewPlace): Promise<PreviewLines> {
    const { previewRows: rows, previewColumns: columns } = layoutOf(screenSize());
    const { ref, head } = item.session;
    const words = shownWords(query);
    const isColoured = this.#isColoured;
    const place = { columns, rows, isColoured, words, turned };
    return this.#reader
      .ask({ kind: "preview", ref, head, ...place, ...(event !== undefined && { focus: event }) })
      .catch((error: unknown) => {
        const why = error instanceof Error ? error.message : String(error);
        return { lines: wrapped(why, columns), turned: 0 };
      });
  }
}

function nameOf({ item, event, query, turned }: PreviewPlace): string {
  return [item.key, event ?? "", turned, ...shownWords(query)].join("\n");
}
