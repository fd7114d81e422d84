import { limits } from "../base/limits.ts";
import type { EventId } from "../model/event.ts";
import type { LeftOut, LeftOutKind, Noted, Remark, RemarkKind } from "./messages.ts";

const leftOutReasons: Readonly<Record<LeftOutKind, string>> = {
  compacted: "A compaction stands for it.",
  over_budget: "The token budget was used up.",
  orphan_result: "The call it answers is not in the context.",
  duplicate_call: "A call with the same id came before it.",
  duplicate_result: "The call already had its result.",
  synthetic: "The agent wrote it in place of a model.",
  opaque_block: "A foreign block that is not understood.",
  empty: "It says nothing.",
  unknown_type: "The type is not known.",
  not_for_models: "Kept for the record; never sent to a model.",
};

const remarkReasons: Readonly<Record<RemarkKind, string>> = {
  missing_result: "No result was recorded; an error stands in its place.",
  no_user_first: "The conversation does not begin with a user.",
  missing_keep_from: "The first event to keep is not on the path; the next one was taken.",
  content_not_loaded: "The content is in the blob store and was not loaded.",
  exceeds_budget: "What must stay is larger than the token budget.",
  earlier_unread: "What came before this event was not read: the token budget was used up.",
};

/** Collects what is worth saying about a context, one entry a reason, in the order first met. */
export class Remarks {
  readonly #byKind = new Map<LeftOutKind | RemarkKind, { count: number; events: EventId[] }>();

  /** Notes one more case of a reason. */
  add(what: LeftOutKind | RemarkKind, event?: EventId): void {
    let known = this.#byKind.get(what);
    if (known === undefined) {
      known = { count: 0, events: [] };
      this.#byKind.set(what, known);
    }
    known.count += 1;
    if (event !== undefined && known.events.length < limits.reportedIds) known.events.push(event);
  }

  /** What is not in the context. */
  leftOut(): readonly LeftOut[] {
    return this.#noted(leftOutReasons);
  }

  /** What is in the context in another form than one may expect. */
  remarks(): readonly Remark[] {
    return this.#noted(remarkReasons);
  }

  #noted<Kind extends string>(reasons: Readonly<Record<Kind, string>>): readonly Noted<Kind>[] {
    const noted: Noted<Kind>[] = [];
    for (const [what, { count, events }] of this.#byKind) {
      if (what in reasons)
        noted.push({ what: what as Kind, why: reasons[what as Kind], count, events });
    }
    return noted;
  }
}
