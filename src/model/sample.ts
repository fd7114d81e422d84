/** Where the sample is laid out, and when. */
export interface SamplePlace {
  /** The project's folder, as the sessions name it. */
  readonly project: string;
  readonly nowMs: number;
}

/** One file of the sample, relative to its home. */
export interface SampleFile {
  readonly path: string;
  readonly text: string;
  /** How long ago it was written last. */
  readonly ageMinutes: number;
}

/** Records as lines. */
export function jsonLines(records: readonly object[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}

/** A clock that begins so many minutes ago and goes on by half a minute each time it is read. */
export function clock(place: SamplePlace, ageMinutes: number): () => string {
  let ms = place.nowMs - ageMinutes * 60_000;
  return () => {
    ms += 30_000;
    return new Date(ms).toISOString();
  };
}
