import { limits } from "../base/limits.ts";
import { spillLargeStrings } from "../blobs/spill.ts";
import { encodeBody } from "../log/line.ts";
import type { Draft } from "../log/mend.ts";
import type { BlobRef } from "../model/block.ts";
import { checkEvent } from "../model/check-event.ts";
import type { EventBody } from "../model/event.ts";

/** A checked body, encoded once: what is short needs no look at its parts. */
export function draftOf(body: EventBody): Draft {
  const checked = checkEvent(body);
  return { body: checked, json: encodeBody(checked) };
}

/** The draft with every large string moved to the blob store, and their number told on the line. */
export function spillDraft(draft: Draft, put: (text: string) => BlobRef): Draft {
  const json = draft.json ?? encodeBody(draft.body);
  const encoded = draft.json === undefined ? { ...draft, json } : draft;
  // Fewer characters than a third of the limit cannot be more bytes than it.
  if (json.length * 3 <= limits.inlineStringBytes) return encoded;
  let blobs = 0;
  const spilled = spillLargeStrings(draft.body, (text) => {
    blobs += 1;
    return put(text);
  });
  if (blobs === 0) return encoded;
  const stored: EventBody = Object.assign({}, spilled, { blobs });
  return { ...draft, stored, json: encodeBody(stored) };
}
