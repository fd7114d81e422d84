import { RepriseError } from "../../../base/errors.ts";
import { isWithin } from "../../../base/within.ts";
import { allCheckpoints, type Checkpoint } from "../../../snapshot/checkpoint.ts";
import { findCheckpoint } from "../../../snapshot/find-checkpoint.ts";
import { realPathOf } from "../../../store/project.ts";
import type { CommandContext } from "../run/command.ts";
import { homeOf } from "./native.ts";

/** The checkpoints that words may name. */
export interface NamedCheckpoints {
  /** Those of every project. */
  readonly all: readonly Checkpoint[];
  /** By its number, or by its whole label in this project. */
  exactly(text: string): Checkpoint | undefined;
  /** By words of a label or the id of a message, in this project; throws if another project has that label. */
  loosely(text: string): Checkpoint | undefined;
}

/** Looks for checkpoints by name. Labels count in this project alone: another one may have the same. */
export function namedCheckpoints(context: CommandContext): NamedCheckpoints {
  const all = allCheckpoints(homeOf(context));
  const cwd = realPathOf(context.env.cwd);
  const here = all.filter(({ folder }) => isWithin(cwd, folder));
  return {
    all,
    exactly: (text) => {
      const named = [
        ...all.filter(({ number }) => text === String(number) || text === `#${number}`),
        ...here.filter(({ label }) => text === label),
      ];
      return named.length === 0 ? undefined : findCheckpoint(named, text);
    },
    loosely: (text) => {
      const found = findCheckpoint(here, text);
      const elsewhere = found ?? all.find(({ label }) => text === label);
      if (found !== undefined || elsewhere === undefined) return found;
      throw new RepriseError("not_found", `No checkpoint of this project is called ${text}.`, {
        hint: `One of ${elsewhere.folder} is: name it by its number, ${elsewhere.number}.`,
      });
    },
  };
}

/** Whether a text has the form of a checkpoint's number. */
export function isCheckpointNumber(text: string): boolean {
  return /^#?\d+$/.test(text);
}

/** The error that says a number names no checkpoint. */
export function noCheckpoint(text: string): RepriseError {
  const number = text.replace("#", "");
  return new RepriseError("not_found", `There is no checkpoint ${number}.`, {
    hint: `\`reprise rewind\` lists where you can go back to. Event ${number} of the newest session is @last@${number}.`,
  });
}
