/** One damaged place of a source, and what became of it (P2). */
export interface Damage {
  readonly kind:
    | "torn_tail"
    | "spliced"
    | "bad_json"
    | "bad_utf8"
    | "nul_run"
    | "too_long"
    | "bad_sum"
    | "bad_id"
    | "duplicate_id"
    | "missing_parent"
    | "cycle"
    | "bad_record"
    | "bad_header"
    | "database"
    /** A file is not there: the session's own, or one that it needs. */
    | "missing_file"
    /** The session's own file is there and cannot be read, or no further. */
    | "unreadable"
    /** The session's own file would take more to read than the limits allow; nothing of it is read. */
    | "too_large";
  /** Byte offset in the file, or the row number in a database. */
  readonly offset: number;
  readonly length?: number;
  /** Records that were read in spite of it. */
  readonly recovered: number;
  readonly detail?: string;
}

/** A sentence about damage, such as `3 damaged records, 2 recovered`; undefined if there is none. */
export function damageSentence(damages: readonly Damage[]): string | undefined {
  if (damages.length === 0) return undefined;
  return damageCount(damages.length, damages.filter(isRecovered).length);
}

/** Whether a damaged place still gave what it held, or some of it. */
export function isRecovered({ recovered }: Damage): boolean {
  return recovered > 0;
}

/** The same sentence from counts, for who does not keep every damage. */
export function damageCount(records: number, recovered: number): string {
  return `${records === 1 ? "1 damaged record" : `${records} damaged records`}, ${recovered} recovered`;
}
