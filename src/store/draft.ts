import { hasLargeString, spillLargeStrings } from "../blobs/spill.ts";
import type { BlobStore, StagedBlob } from "../blobs/store.ts";
import type { Draft } from "../log/draft.ts";
import { encodeBody } from "../log/line.ts";
import type { SessionMeta } from "../log/session-meta.ts";
import type { BlobRef } from "../model/block.ts";
import { checkEvent } from "../model/check-event.ts";
import type { EventBody } from "../model/event.ts";

/** A checked body; it becomes JSON when its line is written. */
export function draftOf(body: EventBody): Draft {
  return { body: checkEvent(body) };
}

/** The body, checked, as it is now: what its author does to it while it waits changes nothing. */
export function copied(body: EventBody): EventBody {
  return JSON.parse(encodeBody(draftOf(body).body)) as EventBody;
}

/** A meta event made of what is known when it is written: two that change one thing at once both count. */
export function metaDraft(change: (known: SessionMeta) => SessionMeta): Draft {
  const meta = (known: SessionMeta): SessionMeta => {
    const said = change(known);
    checkEvent({ type: "meta", ...said });
    return said;
  };
  return { body: { type: "meta" }, meta };
}

/** Whether something of a draft is too large for its line. */
function isLargeDraft({ body }: Draft): boolean {
  return hasLargeString(body);
}

/** The draft with every large string moved to the blob store, and their number told on the line. */
export function spillDraft(draft: Draft, put: (text: string) => BlobRef): Draft {
  if (!isLargeDraft(draft)) return draft;
  let blobs = 0;
  const spilled = spillLargeStrings(draft.body, (text) => {
    blobs += 1;
    return put(text);
  });
  if (blobs === 0) return draft;
  const stored: EventBody = Object.assign({}, spilled, { blobs });
  return { ...draft, stored, json: encodeBody(stored) };
}

/** Drafts as they are written, and the large texts of them, which must be durable before. */
export function stagedDrafts(
  drafts: readonly Draft[],
  blobs: () => BlobStore,
): { readonly ready: readonly Draft[]; readonly staged: readonly StagedBlob[] } {
  if (!drafts.some(isLargeDraft)) return { ready: drafts, staged: [] };
  const staged: StagedBlob[] = [];
  const stage = (text: string): BlobRef => {
    const blob = blobs().stage(text);
    staged.push(blob);
    return blob.ref;
  };
  try {
    return { ready: drafts.map((draft) => spillDraft(draft, stage)), staged };
  } catch (error) {
    for (const blob of staged) blob.abandon();
    throw error;
  }
}
