import type { AgentEvent } from "../../../agents/contract.ts";
import type { Tally } from "../../../agents/reading.ts";
import type { SessionHead } from "../../../model/head.ts";
import { type ContentsLine, html, htmlFooting, htmlHeading } from "./html.ts";
import { json, jsonl } from "./json.ts";
import { markdown, markdownFooting, markdownHeading } from "./markdown.ts";
import { tallySentences } from "./tally-text.ts";
import type { ViewOptions } from "./view.ts";

/** The kinds of file a session can be written as. */
export const documentFormats = ["md", "html", "json", "jsonl"] as const;

export type DocumentFormat = (typeof documentFormats)[number];

/** What a document is made of. */
export interface DocumentSource {
  readonly head: SessionHead;
  readonly events: AsyncIterable<AgentEvent>;
  readonly tally: Tally;
}

/** A session as a document of some kind, piece by piece. */
export async function* documentPieces(
  { head, events, tally }: DocumentSource,
  options: ViewOptions & { readonly format: DocumentFormat; readonly native: boolean },
): AsyncGenerator<string> {
  switch (options.format) {
    case "md":
      yield markdownHeading(head);
      yield* markdown(events, { ...options, known: head });
      yield markdownFooting(tallySentences(tally));
      return;
    case "html": {
      const contents: ContentsLine[] = [];
      yield htmlHeading(head);
      yield* html(events, { ...options, known: head, contents });
      yield htmlFooting(tallySentences(tally), contents);
      return;
    }
    case "json":
      return yield* json(head, events, { native: options.native, tally });
    case "jsonl":
      return yield* jsonl(head, events, { native: options.native, tally });
  }
}
