import { timeOf } from "../../base/clock.ts";
import type { SessionHead } from "../../model/head.ts";

/** What the index keeps of a head: a value for each of its columns from `named` to `relation`, in that order. */
export function headColumns(head: SessionHead): readonly (string | number | null)[] {
  return [
    head.session,
    timeOf(head.createdAt) ?? null,
    timeOf(head.updatedAt) ?? null,
    head.title ?? null,
    head.tags === undefined ? null : JSON.stringify(head.tags),
    head.cwd ?? null,
    head.project === undefined ? null : JSON.stringify(head.project),
    head.git?.branch ?? null,
    head.git?.remote ?? null,
    head.model ?? null,
    head.author ?? null,
    head.relation?.kind ?? null,
  ];
}
