import type { Lineage, Span } from "./lineage.ts";
import { isPastEnd } from "./live-path.ts";
import { numbering } from "./numbering.ts";
import { rolloutLines } from "./rollout-lines.ts";

/** The files of a session as they were when the record of an event was the last one; all of them where none is it. */
export function endedAt(lineage: Lineage, event: string): Lineage {
  for (const [index, span] of lineage.spans.entries()) {
    const sizeBytes = endOf(span, event);
    if (sizeBytes === undefined) continue;
    const before = lineage.spans.slice(0, index).filter(({ abandoned }) => !abandoned);
    const last: Span = {
      ...span,
      abandoned: false,
      end: undefined,
      file: { ...span.file, sizeBytes },
    };
    return { ...lineage, spans: [...before, last] };
  }
  return lineage;
}

/** Where the record of an event ends in a file; undefined if it is not there. */
function endOf(span: Span, event: string): number | undefined {
  const numbers = numbering(span);
  let line = 0;
  for (const found of rolloutLines(span.file, { end: span.file.sizeBytes })) {
    // What another thread went on to say is not of this session.
    if (!span.sameThread && isPastEnd(span, found)) return undefined;
    const { offset, length, records } = found;
    line += 1;
    for (const [index, { ordinal }] of records.entries()) {
      const number = numbers.next(ordinal, { line, offset, index });
      if (isOfRecord(event, number)) return offset + length;
    }
  }
  return undefined;
}

/** Whether an event is of the record with a number: further ones have a count behind it that never begins with zero. */
function isOfRecord(event: string, number: string): boolean {
  return (
    event === number || (event.startsWith(number) && /^\.[1-9]/.test(event.slice(number.length)))
  );
}
