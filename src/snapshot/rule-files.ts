import { limits } from "../base/limits.ts";
import type { RuleFileState } from "./folder-state.ts";
import type { RuleSource } from "./ignore/rules.ts";
import { LeafReader } from "./read-leaf.ts";
import { lookAt, printOf, type StatPrint, samePrint, settledPrint } from "./stat-print.ts";

/** Files of rules a folder may have; what comes later counts more. */
const kinds: Readonly<Record<string, RuleSource["kind"]>> = {
  ".gitignore": "ignore",
  ".repriseignore": "ignore",
  ".repriseinclude": "include",
};

/** The names of the files of rules. */
export const ruleFileNames: readonly string[] = Object.keys(kinds);

/** The files of rules in a folder, read where they are not as they were. */
export function readRuleFiles(
  place: string,
  options: {
    /** The folder they judge, from the top of the rules. */
    readonly folder: string;
    readonly before: readonly RuleFileState[];
    /** Of which names one may be there. */
    readonly names: ReadonlySet<string>;
  },
): readonly RuleFileState[] {
  return ruleFileNames.flatMap((name) => {
    if (!options.names.has(name)) return [];
    const path = `${place}/${name}`;
    const lookedMs = Date.now();
    const stat = lookAt(path);
    // As git, links are not followed.
    if (stat?.isFile() !== true) return [];
    const print = printOf(stat);
    const known = options.before.find((file) => file.name === name);
    if (known !== undefined && samePrint(known.print, print)) return [known];
    const text = textOf(path, print);
    if (text === undefined) return [];
    const source = { folder: options.folder, kind: kinds[name]!, text };
    return [{ name, print: settledPrint(print, lookedMs), source }];
  });
}

/** Whether two lists of files of rules say the same. */
export function sameRuleFiles(a: readonly RuleFileState[], b: readonly RuleFileState[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ name, source }, at) => name === b[at]!.name && source.text === b[at]!.source.text)
  );
}

/** The text of one file of rules; undefined if there is none that can be read. */
export function readRuleFile(path: string): string | undefined {
  const stat = lookAt(path);
  return stat?.isFile() === true ? textOf(path, printOf(stat)) : undefined;
}

const reader = new LeafReader();

/** A character for each byte; undefined if it cannot be read. */
function textOf(path: string, print: StatPrint): string | undefined {
  if (print.size > limits.ruleFileBytes) return undefined;
  const read = reader.read(path, print);
  return typeof read === "string" ? undefined : read.bytes.toString("latin1");
}
