import type { Import } from "../../model/usage-scan.ts";
import { type Copy, copiesOf } from "../../store/copies.ts";
import type { Home } from "../../store/home.ts";
import { namedBy } from "../../store/marks.ts";

/** What the journal knows to be copied from other sessions: what it states was spent in these. */
export interface Copies {
  /** Files we wrote into other agents' stores, and how many bytes of them are copy. */
  readonly files: ReadonlyMap<string, number>;
  /** Sessions of our own that begin with another one; by session, because a home may be moved. */
  readonly imports: ReadonlyMap<string, Import>;
}

/** Every copy the journal reports. */
export function copiedFiles(home: Home): Copies {
  const copies = readableCopies(home);
  const files = copies.flatMap((copy) => copy.files);
  const imports = copies.flatMap(({ session, of, made, last }) => {
    if (made !== "import" || last === undefined) return [];
    return [[namedBy(session).session, { ...namedBy(of), last }] as const];
  });
  return {
    files: new Map(files.map(({ path, sizeBytes }) => [path, sizeBytes])),
    imports: new Map(imports),
  };
}

function readableCopies(home: Home): readonly Copy[] {
  try {
    return copiesOf(home);
  } catch {
    // A journal that cannot be read costs the knowledge of copies, not the report.
    return [];
  }
}
