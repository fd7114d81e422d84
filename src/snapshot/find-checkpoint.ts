import { RepriseError } from "../base/errors.ts";
import { limits } from "../base/limits.ts";
import type { Checkpoint } from "./checkpoint.ts";

/** So much of an id names an event; less may be a number. */
const leastIdChars = 6;

/**
 * The one checkpoint a text means: its number, its label, the id of its event or the beginning of it, or words of the
 * label, in this order. Undefined where it means none; throws `ambiguous` if it means several.
 */
export function findCheckpoint(
  checkpoints: readonly Checkpoint[],
  text: string,
): Checkpoint | undefined {
  const number = /^#?(\d{1,15})$/.exec(text)?.[1];
  const byNumber = checkpoints.find((checkpoint) => checkpoint.number === Number(number));
  if (byNumber !== undefined) return byNumber;
  const wanted = text.toLowerCase();
  const labelOf = ({ label = "" }: Checkpoint): string => label.toLowerCase();
  const words = wanted.split(/\s+/).filter(Boolean);
  const ways: readonly ((checkpoint: Checkpoint) => boolean)[] = [
    (checkpoint) => labelOf(checkpoint) === wanted && wanted !== "",
    ({ uuid = "" }) => text.length >= leastIdChars && uuid.startsWith(text),
    (checkpoint) => words.length > 0 && words.every((word) => labelOf(checkpoint).includes(word)),
  ];
  for (const isMeant of ways) {
    const found = checkpoints.filter(isMeant);
    if (found.length > 0) return only(text, found);
  }
  return undefined;
}

/** The newest checkpoint that was taken at an event or before it; `isAfter` judges the events of checkpoints. */
export function newestBefore(
  checkpoints: readonly Checkpoint[],
  isAfter: (checkpoint: Checkpoint) => boolean,
): Checkpoint | undefined {
  return checkpoints.findLast((checkpoint) => !isAfter(checkpoint));
}

/** One event may have several checkpoints, such as one for each of its calls: the first has the files before all of them. */
function only(text: string, found: readonly Checkpoint[]): Checkpoint {
  const [first] = found;
  const isOneEvent = found.every(
    ({ uuid, session }) => uuid !== undefined && uuid === first!.uuid && session === first!.session,
  );
  if (found.length === 1 || isOneEvent) return first!;
  throw new RepriseError(
    "ambiguous",
    `${JSON.stringify(text)} matches ${found.length} checkpoints:`,
    {
      hint: "Name it by its number.",
      details: {
        count: found.length,
        candidates: found.slice(-limits.candidates).map(({ number, label, at }) => ({
          ref: String(number),
          title: label ?? at,
          path: "",
        })),
      },
    },
  );
}
